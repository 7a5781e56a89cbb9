import { hostname } from 'node:os'
import { type Json, objectOf } from './vendor/json.ts'

/**
 * Removes third-party text from recorded bodies. Prompts and descriptions written by the agents' makers
 * become filler of the same length and lines; ids, folders and machine names become neutral ones. Members,
 * types, names and the structure of schemas stay.
 */
export class Scrubber {
  #places: readonly (readonly [string, string])[]
  #ids = new Map<string, string>()

  /** @param place folder that contained the agent's home and project */
  constructor(place: string) {
    this.#places = [
      [place, '/work'],
      [place.slice(1).replaceAll('/', '-'), 'work'],
      [hostname(), 'host'],
    ]
  }

  scrub(value: unknown, member = ''): unknown {
    if (typeof value === 'string') return this.#text(value, member)
    if (Array.isArray(value)) return value.map((each) => this.scrub(each, KEPT.has(member) ? member : ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(objectOf(value)).map(([name, each]) => [
        name,
        isToolInput(name, { parent: objectOf(value), member }) ? this.#placed(each) : this.scrub(each, name),
      ]),
    )
  }

  /** Replaces ids and folders only. */
  plain(text: string): string {
    const placed = this.#places.reduce(
      (known, [from, to]) => (from === '' ? known : known.replaceAll(from, to)),
      text,
    )
    return placed
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => this.#idFor(id))
      .replace(/\b[0-9a-f]{24,}\b/g, (id) => '0'.repeat(id.length))
      .replace(/\((?:linux|debian|ubuntu)[^)]*\)/gi, '(Linux; x86_64)')
  }

  #placed(value: unknown): unknown {
    return JSON.parse(this.plain(JSON.stringify(value)))
  }

  #text(text: string, member: string): string {
    const plain = this.plain(text)
    if (KEPT.has(member) && !PROSE.has(member)) return plain
    return PROSE.has(member) || /\s/.test(plain) || plain.length > 64 ? fill(plain) : plain
  }

  #idFor(id: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const made = `00000000-0000-4000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`
    this.#ids.set(id, made)
    return made
  }
}

/** The arguments of tool calls come from the scripted vendor and may stay. */
function isToolInput(name: string, { parent, member }: { parent: Json; member: string }): boolean {
  if (name === 'args') return member === 'functionCall'
  return name === 'input' && ['tool_use', 'custom_tool_call'].includes(String(parent['type']))
}

const PROSE: ReadonlySet<string> = new Set(['description', 'title'])
const KEPT: ReadonlySet<string> = new Set([
  'arguments',
  'enum',
  'const',
  'pattern',
  'signature',
  'encrypted_content',
  'thoughtSignature',
  'user_id',
])

/**
 * Text that survives scrubbing: the markers of the task, tags around a text, and labels that a gateway may
 * look for.
 */
const MARKS = /(?:ALPHA|BETA)-[0-9a-f]{6}|COMMAND-\d+|<\/?[a-z][a-z_-]*>|x-anthropic-billing-header:/g
const FILLER = 'lorem ipsum dolor sit amet consectetur adipiscing elit '

function fill(text: string): string {
  return text.split('\n').map(fillLine).join('\n')
}

function fillLine(line: string): string {
  let at = 0
  let filled = ''
  for (const match of line.matchAll(MARKS)) {
    filled += fillerOf(match.index - at) + match[0]
    at = match.index + match[0].length
  }
  return filled + fillerOf(line.length - at)
}

function fillerOf(length: number): string {
  return FILLER.repeat(Math.ceil(length / FILLER.length)).slice(0, length)
}
