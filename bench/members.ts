import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { scanAsk } from '@tollgate/dialects/ask'

/**
 * CPU time of scanning a chat body with all tables of members. `--before <folder>` alternates with the same
 * module of another checkout in this process, and prints the difference.
 */

type Scan = (operation: 'chat', bytes: Buffer) => unknown

const ROUNDS = 25
const ROUND_MICROSECONDS = 20_000

const { before } = parseArgs({ options: { before: { type: 'string' } } }).values
const sides: Record<string, Scan> = { now: scanAsk }
if (before !== undefined) {
  const file = join(process.cwd(), before, 'packages/dialects/src/ask.ts')
  const older: unknown = await import(pathToFileURL(file).href)
  const scan: unknown = Reflect.get(Object(older), 'scanAsk')
  if (typeof scan !== 'function') throw new Error(`${file} exports no scanAsk`)
  sides['before'] = (operation, bytes) => Reflect.apply(scan, undefined, [operation, bytes])
}

for (const [name, bytes] of Object.entries({
  '1 KB': buildChat(1),
  '10 KB': buildChat(10),
  '150 KB': buildChat(150),
})) {
  const least: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round++)
    for (const [side, scan] of Object.entries(sides))
      least[side] = Math.min(least[side] ?? Infinity, measure(scan, bytes))
  const { now = 0, before: earlier } = least
  const difference =
    earlier === undefined
      ? ''
      : `, before ${earlier.toFixed(2)} µs: ${(now - earlier).toFixed(2)} µs, ${((now / earlier - 1) * 100).toFixed(1)} %`
  process.stdout.write(`chat of ${name}: ${now.toFixed(2)} µs${difference}\n`)
}

/** Microseconds of CPU time for one scan. */
function measure(scan: Scan, bytes: Buffer): number {
  let scans = 0
  const start = process.cpuUsage()
  for (;;) {
    for (let each = 0; each < 20; each++) scan('chat', bytes)
    scans += 20
    const { user, system } = process.cpuUsage(start)
    if (user + system >= ROUND_MICROSECONDS) return (user + system) / scans
  }
}

/** A conversation of an agent with about so many kilobytes: tools, turns, calls and their results. */
function buildChat(kilobytes: number): Buffer {
  const tools = Array.from({ length: Math.min(20, kilobytes) }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: 'Reads one file of the project and returns its lines.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  }))
  const messages: object[] = [{ role: 'system', content: 'You are a coding agent.' }]
  const head = { model: 'gpt-5', stream: true, temperature: 0.2, max_tokens: 4096, user: 'u-1', tools }
  for (let turn = 0; JSON.stringify({ ...head, messages }).length < kilobytes * 1024; turn++)
    messages.push(
      { role: 'user', content: 'Please read the next file and tell me what is wrong with it.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `call_${turn}`,
            type: 'function',
            function: { name: 'tool_0', arguments: '{"path":"a.ts"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: `call_${turn}`, content: 'export const answer = 42\n'.repeat(kilobytes) },
    )
  return Buffer.from(JSON.stringify({ ...head, messages }))
}
