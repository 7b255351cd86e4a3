"""compose - checks the example for compose, and prints the host by which the application reaches the service, and then the
words of the service's command: compose.py FILE PORT"""
import sys
import urllib.parse

import yaml

with open(sys.argv[1]) as f:
    document = yaml.safe_load(f)
assert set(document) == {'services', 'volumes'}, set(document)
services = document['services']
for service in services.values():
    known = {'image', 'command', 'volumes', 'read_only', 'cap_drop', 'environment', 'depends_on'}
    assert set(service) <= known, set(service) - known
    assert isinstance(service.get('command', []), list)
    for volume in service.get('volumes', []):
        assert volume.split(':')[0] in document['volumes'], volume
variables = services['app']['environment']
assert variables['AWS_ENDPOINT_URL_DYNAMODB'] == variables['AWS_ENDPOINT_URL_DYNAMODB_STREAMS']
assert {'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'} < set(variables)
url = urllib.parse.urlsplit(variables['AWS_ENDPOINT_URL_DYNAMODB'])
assert url.scheme == 'http' and url.port == int(sys.argv[2])
assert services['app']['depends_on'] == {url.hostname: {'condition': 'service_healthy'}}
assert services[url.hostname]['image'] == 'itemfs' and services[url.hostname]['volumes'] == ['items:/data']
print(url.netloc, *services[url.hostname]['command'], sep='\n')
