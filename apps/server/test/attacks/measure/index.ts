/**
 * `npm run test:attacks -- --measure [--calls=200] [--runs=3] [--kind=word]`: sends hostile calls of every
 * kind, from an account without a balance and from one with cents, beside 100 ordinary streams, against a
 * gateway in a process of its own.
 *
 * It fails when the gateway dies, when the attacks of a kind raise its peak memory (heap and external) by
 * more than 64 MiB above the same load without attack in the best of the runs, or when they make the 99th
 * percentile of ordinary calls more than half as long again. Memory is garbage collected between the kinds,
 * so that none inherits another's. Compare only figures of the same run, because they depend on the machine
 * and its other load.
 */
import { request as httpRequest, Agent } from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMeasuredGateway, type MeasuredGateway, type Peak } from './gateway.ts'
import { hostileKinds, type HostileKind } from './hostile-kinds.ts'

const STREAMS = 100
/** Minimum number of calls of every stream. */
const ROUNDS = 3
const HOSTILE_AT_ONCE = 10
const HELD_MS = 500
const QUIET_MS = 15_000
const RISE_MAX_MIB = 64
const SLOWER_MAX = 1.5
const MIB = 1024 * 1024

const option = (name: string, otherwise: string): string =>
  process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise
const calls = Number(option('calls', '200'))
const runs = Number(option('runs', '3'))
const kinds = hostileKinds().filter(({ name }) => name.includes(option('kind', '')))

interface Load {
  readonly p99Ms: number
  readonly failed: number
  readonly peak: Peak
}

/** Runs the ordinary calls for as long as the other work takes. */
async function ordinaryBeside(gateway: MeasuredGateway, work: () => Promise<void>): Promise<Load> {
  await gateway.peak()
  const agent = new Agent({ keepAlive: true, maxSockets: STREAMS })
  const times: number[] = []
  let failed = 0
  const over = new AbortController()
  const stream = async (at: number) => {
    // Staggers the callers, so that they do not start at once.
    await sleep(at * 10)
    for (let round = 0; round < ROUNDS || !over.signal.aborted; round++) {
      const startedAt = performance.now()
      const status = await ordinaryCall(gateway, agent)
      if (status === 200) times.push(performance.now() - startedAt)
      else failed++
    }
  }
  const streams = Promise.all(Array.from({ length: STREAMS }, (_, at) => stream(at)))
  await work()
  over.abort()
  await streams
  agent.destroy()
  const sorted = times.toSorted((left, right) => left - right)
  return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, failed, peak: await gateway.peak() }
}

function ordinaryCall({ address, keys }: MeasuredGateway, agent: Agent): Promise<number> {
  const body = JSON.stringify({
    model: 'gpt-4o',
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  })
  return sent(address, {
    path: '/v1/chat/completions',
    agent,
    headers: { authorization: `Bearer ${keys.ordinary}`, 'content-type': 'application/json' },
    body: Buffer.from(body),
    isUnfinished: false,
  })
}

interface Sent {
  readonly path: string
  readonly agent?: Agent
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly isUnfinished: boolean
}

/** The response status, or 0 when the connection broke. */
function sent(address: string, { path, agent, headers, body, isUnfinished }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const request = httpRequest(`${address}${path}`, { method: 'POST', headers, agent: agent ?? false })
    request.on('error', () => resolve(0))
    request.on('close', () => resolve(0))
    request.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
    })
    if (isUnfinished) {
      request.write(body)
      setTimeout(() => request.destroy(), HELD_MS)
    } else request.end(body)
  })
}

/** Sends hostile calls of one kind with limited concurrency; returns the response statuses. */
async function attack(
  gateway: MeasuredGateway,
  kind: HostileKind,
  key: string,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let left = calls
  const worker = async () => {
    while (left-- > 0) {
      const headers = { ...kind.headers, authorization: `Bearer ${key}` }
      const status = await sent(gateway.address, { ...kind, headers })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, worker))
  return statuses
}

interface Rise {
  readonly kind: string
  readonly riseMiB: number
  readonly slower: number
  readonly isWhole: boolean
}

/** Measures what the attacks of each kind add to the load without attack. */
async function measureOnce(): Promise<readonly Rise[]> {
  const gateway = await openMeasuredGateway()
  try {
    // Warm-up, so that compiling code and filling caches is not measured.
    await ordinaryBeside(gateway, () => Promise.resolve())
    const quiet = await ordinaryBeside(gateway, () => sleep(QUIET_MS))
    say(`without attack:  ${figuresOf(quiet)}`)
    const rises: Rise[] = []
    for (const kind of kinds) rises.push(await measureKind(gateway, kind, quiet))
    return rises
  } finally {
    await gateway.close()
  }
}

async function measureKind(gateway: MeasuredGateway, kind: HostileKind, quiet: Load): Promise<Rise> {
  const answers: string[] = []
  const load = await ordinaryBeside(gateway, async () => {
    for (const account of ['without balance', 'with cents'] as const) {
      const statuses = await attack(gateway, kind, gateway.keys[account])
      if (!gateway.isAlive()) throw new Error(`the gateway died: ${gateway.printed().slice(-2_000)}`)
      const counts = [...statuses].map(([status, count]) => `${count} x ${status}`)
      answers.push(`${account}: ${counts.join(', ')}`)
    }
  })
  const riseMiB = (load.peak.peakBytes - quiet.peak.peakBytes) / MIB
  const slower = load.p99Ms / quiet.p99Ms
  say(`${kind.name} (${answers.join('; ')})`)
  say(`  ${signed(riseMiB)} MiB, p99 x ${slower.toFixed(2)}: ${figuresOf(load)}`)
  return { kind: kind.name, riseMiB, slower, isWhole: load.failed === 0 }
}

function signed(mebibytes: number): string {
  return `${mebibytes < 0 ? '' : '+'}${mebibytes.toFixed(1)}`
}

function figuresOf({ p99Ms, failed, peak }: Load): string {
  const memory = `${(peak.peakBytes / MIB).toFixed(0)} MiB of heap and beside it, ${(peak.peakRss / MIB).toFixed(0)} resident`
  return `p99 ${p99Ms.toFixed(0)} ms, ${failed} failed, ${memory}, longest stop of the loop ${peak.longestMs.toFixed(0)} ms`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

say(`${calls} calls of ${kinds.length} kinds from two accounts beside ${STREAMS} streams, ${runs} runs\n`)
const measured: Rise[] = []
for (let run = 0; run < runs; run++) measured.push(...(await measureOnce()))
let isGood = measured.every(({ isWhole }) => isWhole)
say(`\nthe best of ${runs} runs, for each kind:`)
for (const { name } of kinds) {
  const ofKind = measured.filter(({ kind }) => kind === name)
  const riseMiB = Math.min(...ofKind.map((rise) => rise.riseMiB))
  const slower = Math.min(...ofKind.map((rise) => rise.slower))
  const isWithin = riseMiB <= RISE_MAX_MIB && slower <= SLOWER_MAX
  say(`${isWithin ? 'ok  ' : 'FAIL'} ${name}: memory ${signed(riseMiB)} MiB, p99 x ${slower.toFixed(2)}`)
  isGood &&= isWithin
}
say(
  `${isGood ? 'ok' : 'FAIL'}: at most +${RISE_MAX_MIB} MiB and p99 x ${SLOWER_MAX}, no ordinary call failed`,
)
process.exitCode = isGood ? 0 : 1
