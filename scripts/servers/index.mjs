// Looks for the servers that tests need, and starts those that do not answer. They end with this process.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { exitOnSignals } from '../exit-on-signals.mjs'
import { nodePath, root } from '../install.mjs'
import { SERVERS } from './list.mjs'
import { findInstallObstacle, installPackages } from './packages.mjs'
import { FOLDER_VARIABLE, openRunFolder, removeLeftFolders } from './run-folder.mjs'
import { findVariant, startServer } from './start.mjs'

/**
 * @typedef {keyof typeof SERVERS} ServerName
 * @typedef {{ name: ServerName, reason: string }} LeftOutServer
 * @typedef {object} ServerSupport
 * @property {Record<string, string>} env for the tests
 * @property {string[]} options of Vitest: a file all of whose tests need a server that is left out has none
 * @property {LeftOutServer[]} leftOut
 */

/**
 * Where every server answers, nothing is started. `endsOnSignals` is false for a script that waits for its own child
 * processes on a signal and exits then.
 * @param {ServerName[]} names
 * @returns {Promise<ServerSupport>}
 */
export async function openServers(names = Object.keys(SERVERS), { endsOnSignals = true } = {}) {
  if (process.platform === 'linux') removeLeftFolders()
  const answering = names.some((name) => SERVERS[name].variable) ? readAnswering() : []
  const missing = names.filter((name) => !answering.includes(name))
  await installPackages(missing.filter((name) => !findVariant(name)).map((name) => SERVERS[name].packages))
  if (endsOnSignals && missing.length > 0) exitOnSignals()
  const outcomes = await Promise.all(missing.map(provide))
  const env = Object.assign({}, ...outcomes.map((outcome) => outcome.env))
  const unwanted = Object.keys(SERVERS).filter((name) => !names.includes(name))
  const leftOut = outcomes.flatMap((outcome) => outcome.leftOut ?? [])
  return {
    leftOut,
    options: leftOut.length > 0 ? ['--passWithNoTests'] : [],
    env: {
      ...env,
      // A server that answers now and not during its tests fails them instead of skipping them.
      TOLLGATE_REQUIRE_SERVERS: 'true',
      TOLLGATE_SERVERS_LEFT_OUT: [...unwanted, ...leftOut.map(({ name }) => name)].join(' '),
    },
  }
}

/** Tests of a row without a variable start their own server, so it is only made sure that they can. */
async function provide(name) {
  const { variable, label, packages } = SERVERS[name]
  if (!findVariant(name)) {
    const how = `apt-get install ${packages[0]}`
    const obstacle = findInstallObstacle() ?? `${how} failed`
    return { leftOut: [{ name, reason: `it is not installed, and ${obstacle} (Debian: ${how})` }] }
  }
  const folder = openRunFolder()
  if (!variable) return { env: { [FOLDER_VARIABLE]: folder } }
  process.stdout.write(`${label} does not answer at ${readAddress(name)}; starting one for this run …\n`)
  try {
    const { url } = await startServer(name)
    return { env: { [variable]: url, [FOLDER_VARIABLE]: folder } }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { leftOut: [{ name, reason: `it did not start: ${cause}` }] }
  }
}

/** Asks the code that the tests use themselves, so that a server which refuses their login counts as missing. */
function readAnswering() {
  const program = join(root, 'packages/testkit/src/print-answering.ts')
  const env = { ...process.env, TOLLGATE_REQUIRE_SERVERS: '', TOLLGATE_SERVERS_LEFT_OUT: '' }
  const { status, stdout, stderr } = spawnSync(nodePath(), [program], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`The servers could not be looked for: ${stderr}`)
  return JSON.parse(stdout)
}

function readAddress(name) {
  const { variable, usual } = SERVERS[name]
  return new URL(process.env[variable] ?? usual).host
}
