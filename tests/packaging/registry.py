"""registry - the packages in a folder on loopback, as files, as a registry for npm and as an index for pip: registry.py DIR

It prints its port, and ends by a signal.
"""
import base64
import functools
import hashlib
import http.server
import json
import os
import sys
import tarfile
import urllib.parse


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path)[1:]
        origin = f'http://{self.headers["Host"]}'
        if name == 'simple/itemfs/':
            links = ''.join(f'<a href="{origin}/{file}">{file}</a>\n' for file in os.listdir(self.directory) if file.endswith('.whl'))
            self.answer('text/html', f'<!DOCTYPE html>\n{links}')
        elif name in ('itemfs', '@itemfs/linux-x64', '@itemfs/linux-arm64'):
            versions = {package['version']: package for package in self.packages(origin) if package['name'] == name}
            if versions:
                tags = {'latest': list(versions)[-1]}
                self.answer('application/json', json.dumps({'name': name, 'dist-tags': tags, 'versions': versions}))
            else:
                self.send_error(404)
        else:
            super().do_GET()

    def packages(self, origin):
        for file in os.listdir(self.directory):
            if file.endswith('.tgz'):
                path = os.path.join(self.directory, file)
                with tarfile.open(path) as archive:
                    package = json.load(archive.extractfile('package/package.json'))
                with open(path, 'rb') as f:
                    sum = base64.b64encode(hashlib.sha512(f.read()).digest()).decode()
                yield {**package, 'dist': {'tarball': f'{origin}/{file}', 'integrity': f'sha512-{sum}'}}

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
