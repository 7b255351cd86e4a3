/* program - the programs in the package of this platform */
'use strict';

/** Return why the programs cannot run here, as one sentence with what to do. */
function obstacle() {
  const { platform, arch, report } = process;
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch)) {
    return `itemfs has no programs for ${platform} on ${arch}: run it in a container, a virtual machine or WSL with Linux on x64 or arm64`;
  }
  const glibc = report.getReport().header.glibcVersionRuntime;
  if (glibc === undefined) {
    return 'itemfs needs glibc, and this system has another C library (musl, as in Alpine): use an image with glibc, such as node:22-slim';
  }
  if (Number(glibc.split('.')[0]) === 2 && Number(glibc.split('.')[1]) < 34) {
    return `itemfs needs glibc 2.34 or newer, and this system has ${glibc}: use a newer system or image, such as node:22-slim`;
  }
  return `the package @itemfs/${platform}-${arch} is not installed: install itemfs without --no-optional or --omit=optional, ` +
    'and if package-lock.json comes from another platform, remove it and node_modules before';
}

/** Return the path of "itemctl" or "itemfs". */
function program(name) {
  try {
    return require.resolve(`@itemfs/${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    throw new Error(obstacle());
  }
}

module.exports = { obstacle, program };
