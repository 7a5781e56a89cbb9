import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadInput, LoadResult } from './load-shape.ts'
import { writeKeyMix } from './key-mix.ts'
import { numbersAfter, runLoadCommand } from './run-command.ts'

const MARK = 'RESULT '
const MICROSECONDS = 1000
const GRACE_MS = 30_000

export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined
}

export async function wrkLoad(input: LoadInput): Promise<LoadResult> {
  const script = join(input.directory, 'load.lua')
  writeFileSync(script, luaScript(input))
  const { connections, seconds, address } = input
  const command = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    script,
    address.url,
  ]
  const result = numbersAfter(MARK, await runLoadCommand(command, seconds * 1000 + GRACE_MS))
  const { requests = 0, duration = 0, median = 0, p99 = 0, failures = 0 } = result
  return {
    requests,
    seconds: duration / 1_000_000,
    medianMs: median / MICROSECONDS,
    p99Ms: p99 / MICROSECONDS,
    failures,
  }
}

function luaScript(input: LoadInput): string {
  const { address, body } = input
  const headers = { 'content-type': 'application/json', ...address.headers }
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`,
  )
  return `
wrk.method = "POST"
wrk.body = ${quoted(body)}
${lines.join('\n')}
${mixedKeys(input)}
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('${MARK}{"requests":%d,"duration":%d,"median":%d,"p99":%d,"failures":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failures))
end
`
}

/** Builds the request of each user once, so that a mix costs the load tool a table look-up per request. */
function mixedKeys({ keyMix, directory }: LoadInput): string {
  if (keyMix === undefined) return ''
  const { keys, draws } = writeKeyMix(keyMix, directory)
  return `
local requests, draws, turn = {}, {}, 0
function init()
  for key in io.lines(${quoted(keys)}) do
    wrk.headers["authorization"] = "Bearer sk-" .. key
    requests[#requests + 1] = wrk.format()
  end
  for draw in io.lines(${quoted(draws)}) do draws[#draws + 1] = draw + 1 end
end
function request()
  turn = turn % #draws + 1
  return requests[draws[turn]]
end`
}

/** A Lua string literal: JSON escapes are valid in Lua as long as the text is ASCII. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
