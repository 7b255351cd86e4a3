#!/usr/bin/env node
/* itemctl - the command itemctl */
require('../run.js')('itemctl');
