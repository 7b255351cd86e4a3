"""layout - checks an OCI image layout: layout.py FOLDER; each digest, size and reference, also those of docker save"""
import gzip
import hashlib
import json
import os
import sys

folder = sys.argv[1]


def read(*parts):
    with open(os.path.join(folder, *parts), 'rb') as f:
        return f.read()


def digest(data):
    return 'sha256:' + hashlib.sha256(data).hexdigest()


def blob(descriptor):
    data = read('blobs', *descriptor['digest'].split(':'))
    assert digest(data) == descriptor['digest'] and len(data) == descriptor['size'], descriptor
    return data


def path_of(descriptor):
    return 'blobs/' + descriptor['digest'].replace(':', '/')


assert json.loads(read('oci-layout')) == {'imageLayoutVersion': '1.0.0'}
index = json.loads(read('index.json'))
assert index['schemaVersion'] == 2 and len(index['manifests']) == 1
manifest = json.loads(blob(index['manifests'][0]))
assert manifest['mediaType'] == index['manifests'][0]['mediaType']
config = json.loads(blob(manifest['config']))
assert index['manifests'][0]['platform'] == {'architecture': config['architecture'], 'os': config['os']}
layers = [blob(layer) for layer in manifest['layers']]
assert config['rootfs']['diff_ids'] == [digest(gzip.decompress(layer)) for layer in layers]
version = config['config']['Labels']['org.opencontainers.image.version']
assert json.loads(read('manifest.json')) == [{
    'Config': path_of(manifest['config']),
    'RepoTags': ['itemfs:' + version, 'itemfs:latest'],
    'Layers': [path_of(layer) for layer in manifest['layers']],
}]
blobs = {d['digest'][7:] for d in index['manifests'] + [manifest['config']] + manifest['layers']}
assert set(os.listdir(os.path.join(folder, 'blobs/sha256'))) == blobs
assert config['config']['ExposedPorts'] == {'8000/tcp': {}} and config['config']['Volumes'] == {'/data': {}}
assert config['config']['User'] == '65532:65532' and config['config']['StopSignal'] == 'SIGTERM'
