"""steps - the steps of a composite GitHub action as files: steps.py ACTION.yml FOLDER [INPUT=VALUE...]

Writes FOLDER/N.sh, the run block of step N, and FOLDER/N.env, its variables, each followed by a NUL; prints the expressions of
the outputs.  The only expressions that it knows are inputs.NAME and steps.ID.outputs.NAME.
"""
import os
import re
import sys

import yaml

with open(sys.argv[1]) as f:
    action = yaml.safe_load(f)
given = dict(word.split('=', 1) for word in sys.argv[3:])
assert set(given) <= set(action['inputs']), given
values = {name: given.get(name, row['default']) for name, row in action['inputs'].items()}
assert action['runs']['using'] == 'composite'
steps = action['runs']['steps']
for n, step in enumerate(steps):
    assert set(step) <= {'id', 'shell', 'env', 'run'} and step['shell'] == 'bash', step
    assert '${{' not in step['run'], 'an expression in a run block would be read as shell text'
    with open(os.path.join(sys.argv[2], '%d.sh' % n), 'w') as f:
        f.write(step['run'])
    with open(os.path.join(sys.argv[2], '%d.env' % n), 'w') as f:
        for name, value in step.get('env', {}).items():
            f.write('%s=%s\0' % (name, re.sub(r'\$\{\{ inputs\.(\w+) \}\}', lambda m: values[m[1]], value)))
for name, row in action['outputs'].items():
    step, output = re.fullmatch(r'\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}', row['value']).groups()
    assert step in [s.get('id') for s in steps] and output == name
    print(name)
