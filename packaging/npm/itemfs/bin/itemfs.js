#!/usr/bin/env node
/* itemfs - the command itemfs; "itemfs serve" is "itemctl serve", so that "npx itemfs serve" works */
require('../run.js')(process.argv[2] === 'serve' ? 'itemctl' : 'itemfs');
