import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from './processes.mjs'
import { FOLDER_VARIABLE, removeRunFolder } from './run-folder.mjs'
import { startServer } from './start.mjs'

/** Scripts play the servers, in the folder of a run that belongs to the test. */
let folder
let run
const outerRun = process.env[FOLDER_VARIABLE]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
  run = join(folder, 'run')
  mkdirSync(run)
  chmodSync(folder, 0o755)
  process.env[FOLDER_VARIABLE] = run
})
afterEach(() => {
  delete process.env[FOLDER_VARIABLE]
  if (outerRun !== undefined) process.env[FOLDER_VARIABLE] = outerRun
  removeRunFolder(run)
  rmSync(folder, { recursive: true })
})

function writePrograms(scripts) {
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
const find = (name) => [join(folder, name)].find((path) => existsSync(path))
const start = (name) => startServer(name, { find })
const listRun = () => readdirSync(run)

describe.skipIf(process.platform !== 'linux')('a server of the list', () => {
  it('is started when its log says so, and leaves nothing when it is stopped', async () => {
    writePrograms({ 'redis-server': 'echo "Ready to accept connections"; exec sleep 1000' })
    const { url, stop } = await start('redis')
    expect(url).toMatch(/^redis:\/\/127\.0\.0\.1:\d{4,5}$/)
    expect(listRun()).toHaveLength(2)
    stop()
    expect(listRun()).toEqual([])
  })

  it('has its own port and folder beside another one', async () => {
    writePrograms({ 'nats-server': 'echo "Server is ready"; pwd > where; exec sleep 1000' })
    const servers = await Promise.all([start('nats'), start('nats'), start('nats')])
    expect(new Set(servers.map(({ url }) => url)).size).toBe(3)
    expect(listRun().filter((name) => name.startsWith('server-'))).toHaveLength(3)
  })

  it('is ended with what it started when the run is removed', async () => {
    writePrograms({
      'redis-server': `sleep 1000 & echo $! > ${folder}/helper; cut -d" " -f22 /proc/$!/stat >> ${folder}/helper; echo "Ready to accept connections"; wait`,
    })
    await start('redis')
    const [pid, started] = readFileSync(join(folder, 'helper'), 'utf8').split('\n')
    expect(isRunning({ pid: Number(pid), started })).toBe(true)
    removeRunFolder(run)
    await expect.poll(() => isRunning({ pid: Number(pid), started })).toBe(false)
    expect(existsSync(run)).toBe(false)
    mkdirSync(run)
  })

  it('gets another port when somebody else took its first one', async () => {
    writePrograms({
      'redis-server': `
        if [ ! -e ${folder}/second ]; then touch ${folder}/second; echo "bind: Address already in use"; exit 1; fi
        echo "Ready to accept connections"; exec sleep 1000`,
    })
    const { url } = await start('redis')
    expect(url).toContain('redis://')
    expect(existsSync(join(folder, 'second'))).toBe(true)
  })

  it('that ends at once is reported with its last lines, and leaves no folder', async () => {
    writePrograms({ 'redis-server': 'echo "one"; echo "the disk is full"; exit 3' })
    await expect(start('redis')).rejects.toThrow(/redis-server: it ended with 3: one \| the disk is full/)
    expect(listRun().filter((name) => name.startsWith('server-'))).toEqual([])
  })

  it('whose data cannot be created is reported with the program that failed', async () => {
    writePrograms({ postgres: 'exit 0', initdb: 'echo "no locale"; exit 1' })
    await expect(start('postgres')).rejects.toThrow(/initdb: it ended with 1: no locale/)
  })

  it('that is not installed is named', async () => {
    await expect(start('mysql')).rejects.toThrow('the programs of MariaDB or MySQL are not here')
  })

  it.skipIf(process.getuid?.() !== 0)('does not run as root if it refuses root', async () => {
    chmodSync(run, 0o711)
    writePrograms({
      initdb: `test "$(id -u)" != 0`,
      postgres: 'test "$(id -u)" != 0 && echo "ready to accept connections" && exec sleep 1000',
    })
    const { url } = await start('postgres')
    expect(url).toMatch(/^postgres:/)
  })
})
