import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endProcess, isRunning, readStartTime } from './processes.mjs'
import { removeLeftFolders } from './run-folder.mjs'

/** Everything happens below a folder of the test, so that real runs on this machine are not touched. */
let base
let children
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tollgate-left-'))
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(base, { recursive: true, force: true })
})

/** A run of its own that records a process which would sleep for long. It prints the number of that process. */
const RUN = `
  const { spawn } = await import('node:child_process')
  const { openRunFolder, recordProcess } = await import(process.argv[1])
  const folder = openRunFolder(process.argv[2])
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  recordProcess(folder, { pid: child.pid, signal: 'SIGTERM' })
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
  console.log(child.pid)
`

async function startRun() {
  const env = { ...process.env, TOLLGATE_SERVERS_FOLDER: '' }
  const module = pathToFileURL(join(import.meta.dirname, 'run-folder.mjs')).href
  const run = spawn(process.execPath, ['--input-type=module', '--eval', RUN, module, base], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(run)
  const [line] = await once(run.stdout, 'data')
  const pid = Number(line)
  return { run, server: { pid, started: readStartTime(pid) } }
}

async function endRun(run, signal) {
  const ended = once(run, 'exit')
  run.kill(signal)
  return ended
}

/** The number of the PID namespace, as folders have it in their names. */
const [space] = process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid').match(/\d+/) : []

const sweep = () => removeLeftFolders([base])
const listRuns = () => readdirSync(base)

describe.skipIf(process.platform !== 'linux')('the folder of a run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('goes with its processes when the run ends by %s', async (signal, code) => {
    const { run, server } = await startRun()
    expect(isRunning(server)).toBe(true)
    expect(listRuns()).toHaveLength(1)
    expect(await endRun(run, signal)).toEqual([code, null])
    expect(isRunning(server)).toBe(false)
    expect(listRuns()).toEqual([])
  })

  it('stays while the run is alive, also beside other runs', async () => {
    const first = await startRun()
    const second = await startRun()
    expect(listRuns()).toHaveLength(2)
    expect(sweep()).toEqual([])
    await endRun(first.run, 'SIGKILL')
    expect(sweep()).toHaveLength(1)
    expect(isRunning(first.server)).toBe(false)
    expect(isRunning(second.server)).toBe(true)
    await endRun(second.run, 'SIGTERM')
    expect(listRuns()).toEqual([])
  })

  it('is removed with its processes by the next run when the run was killed', async () => {
    const { run, server } = await startRun()
    await endRun(run, 'SIGKILL')
    expect(isRunning(server)).toBe(true)
    expect(sweep()).toHaveLength(1)
    expect(isRunning(server)).toBe(false)
    expect(listRuns()).toEqual([])
  })

  it('ends no process that has the number of an ended one', async () => {
    const { run, server } = await startRun()
    await endRun(run, 'SIGKILL')
    const [name] = listRuns()
    const record = { ...server, started: String(Number(server.started) - 1), signal: 'SIGKILL' }
    writeFileSync(join(base, name, `${server.pid}.json`), JSON.stringify(record))
    expect(sweep()).toHaveLength(1)
    expect(isRunning(server)).toBe(true)
    endProcess(server, 'SIGKILL')
  })

  it('is abandoned when another process has the number of the one that owned it', () => {
    mkdirSync(join(base, `tollgate-servers-${space}-${process.pid}-1`))
    mkdirSync(join(base, `tollgate-servers-${space}-${process.pid}-${readStartTime(process.pid)}`))
    expect(sweep()).toEqual([join(base, `tollgate-servers-${space}-${process.pid}-1`)])
  })

  it('of another container is kept, and so is what only has its name', () => {
    mkdirSync(join(base, 'tollgate-servers-1-2-3'))
    mkdirSync(join(base, 'elsewhere'))
    symlinkSync(join(base, 'elsewhere'), join(base, `tollgate-servers-${space}-999999999-1`))
    writeFileSync(join(base, `tollgate-servers-${space}-999999999-2`), '')
    mkdirSync(join(base, 'tollgate-servers-of-somebody'))
    expect(sweep()).toEqual([])
    expect(existsSync(join(base, 'elsewhere'))).toBe(true)
  })

  it('with a record that was cut off is removed', async () => {
    const { run, server } = await startRun()
    await endRun(run, 'SIGKILL')
    writeFileSync(join(base, listRuns()[0], '1.json'), '{"pid":1,')
    expect(sweep()).toHaveLength(1)
    expect(isRunning(server)).toBe(false)
  })
})

describe.skipIf(process.platform !== 'linux')('a process', () => {
  it('that has ended is not running, even before its parent has noticed', async () => {
    const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    const identity = { pid: child.pid, started: readStartTime(child.pid) }
    endProcess(identity, 'SIGTERM')
    expect(isRunning(identity)).toBe(false)
    await once(child, 'exit')
  })

  it('whose name has parentheses and spaces is recognised', async () => {
    const program = join(base, 'a ) S 1 (b')
    symlinkSync('/bin/sleep', program)
    const child = spawn(program, ['1000'], { stdio: 'ignore' })
    children.push(child)
    await once(child, 'spawn')
    expect(readStartTime(child.pid)).toMatch(/^\d{2,}$/)
    expect(Number(readStartTime(child.pid))).toBeGreaterThanOrEqual(Number(readStartTime(process.pid)))
  })

  it('that does not exist has no start time', () => {
    expect(readStartTime(999_999_999)).toBeUndefined()
  })
})
