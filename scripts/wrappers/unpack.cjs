// Runs first in the single program. Threads, workers and the console need files, so the bundle is unpacked once into
// the cache folder of the user, and every start compares it with what the program carries.
const { createHash } = require('node:crypto')
const { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync } = require('node:fs')
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const module_ = require('node:module')
const { homedir, tmpdir, userInfo } = require('node:os')
const { dirname, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')

const { id, files } = JSON.parse(getAsset('files.json', 'utf8'))

/** The cache folder of the user, or one below the folder for temporary files where there is none. */
function places() {
  const { XDG_CACHE_HOME: cache } = process.env
  const home = homedir()
  return [
    ...(cache ? [join(cache, 'tollgate')] : []),
    ...(home && home !== '/' ? [join(home, '.cache', 'tollgate')] : []),
    join(tmpdir(), `tollgate-${userInfo().uid}`),
  ]
}

function unpackedIn(place) {
  mkdirSync(place, { recursive: true, mode: 0o700 })
  requireOwn(place)
  const folder = join(place, id)
  if (isWhole(folder)) return folder
  const draft = mkdtempSync(join(place, `${id}.`))
  try {
    for (const [name] of files) {
      const path = join(draft, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, Buffer.from(getRawAsset(name)))
    }
    chmodSync(draft, 0o700)
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start has unpacked it meanwhile.
    if (!isWhole(folder)) throw error
  }
  return folder
}

/** Somebody else could have made the folder, to have their own program run. */
function requireOwn(place) {
  const { uid, mode } = lstatSync(place)
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0))
    throw new Error(`${place} belongs to somebody else or can be written by others`)
}

function isWhole(folder) {
  if (!existsSync(folder)) return false
  try {
    requireOwn(folder)
    return files.every(([name, hash]) => sha256(readFileSync(join(folder, name))) === hash)
  } catch {
    return false
  }
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

function unpack() {
  const reasons = []
  for (const place of places()) {
    try {
      return unpackedIn(place)
    } catch (error) {
      reasons.push(error.message)
    }
  }
  process.stderr.write(
    `Tollgate cannot unpack itself: ${reasons.join('; ')}. Set XDG_CACHE_HOME to a folder.\n`,
  )
  return process.exit(1)
}

const folder = unpack()
const entry = join(folder, 'bin', 'tollgate.mjs')
// Other processes of the program are started with the path of a file as their first argument.
if (process.argv[2]?.startsWith(folder)) process.argv.splice(2, 1)
process.argv[1] = entry
module_.enableCompileCache(join(dirname(folder), `${id}-compiled`))
module_.createRequire(entry)(entry)
