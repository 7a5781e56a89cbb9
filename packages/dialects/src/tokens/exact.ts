import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ask } from '../dialect.ts'
import type { CallOperation } from '../conversations.ts'
import { estimateTokens, TokenEstimate } from './estimate.ts'
import { visitInput } from './input.ts'

/**
 * Characters passed to the tokenizer at once: its time grows with the square of the length of a repetition.
 */
const SLICE_CHARACTERS = 2000
/**
 * Beyond this many characters the rest is estimated. Up to it, counting takes about 0.1 s, spread over
 * iterations of the event loop.
 */
const EXACT_CHARACTERS_MAX = 200_000
const SLICES_PER_TURN = 8
/** Number of merges that the tokenizer caches; limits its memory. */
const MERGE_CACHE_MAX = 10_000

interface Vocabulary {
  readonly countTokens: (text: string, options: { disallowedSpecial: Set<string> }) => number
  readonly setMergeCacheSize: (size: number) => void
}

/** Special tokens such as `<|endoftext|>` in a caller's text are counted as ordinary text. */
const plainText = { disallowedSpecial: new Set<string>() }

const vocabularies = {
  o200k: once(() => import('gpt-tokenizer/encoding/o200k_base')),
  cl100k: once(() => import('gpt-tokenizer/encoding/cl100k_base')),
}

/**
 * Counts with the model's own vocabulary, which is loaded at first use. Used for settlement when the upstream
 * reported no usage. Models of other vendors are counted with the vocabulary of OpenAI's newest models.
 */
export async function countExactly(text: string, model: string): Promise<number> {
  const vocabulary = await vocabularies[isOlder(model) ? 'cl100k' : 'o200k']()
  const bound = Math.min(text.length, EXACT_CHARACTERS_MAX)
  let tokens = 0
  let slices = 0
  for (let at = 0; at < bound;) {
    const end = sliceEnd(text, at, bound)
    tokens += vocabulary.countTokens(text.slice(at, end), plainText)
    at = end
    if (++slices % SLICES_PER_TURN === 0) await nextTurn()
  }
  return tokens + (bound < text.length ? estimateTokens(text.slice(bound)) : 0)
}

/**
 * Counts the text of a whole request exactly; media are counted as in {@link
 * import('./count.ts').countInput}.
 */
export async function countInputExactly(operation: CallOperation, ask: Ask): Promise<number> {
  const texts: string[] = []
  const rest = new TokenEstimate()
  let tokens = 0
  visitInput(operation, ask, {
    text: (text) => void texts.push(text),
    json: (bytes, start, end) => rest.addJson(bytes, start, end),
    tokens: (count) => {
      tokens += count
    },
    media: (count) => {
      tokens += count.likely
    },
  })
  return tokens + rest.tokens + (await countExactly(texts.join('\n'), ask.model))
}

function isOlder(model: string): boolean {
  return /^(?:gpt-3\.5|gpt-4(?!o|\.)|text-embedding|text-davinci|davinci|babbage)/.test(model)
}

/** End of a slice: after a space near the limit, and never within a character. */
function sliceEnd(text: string, start: number, bound: number): number {
  const limit = start + SLICE_CHARACTERS
  if (limit >= bound) return bound
  const space = text.lastIndexOf(' ', limit)
  if (space > start + SLICE_CHARACTERS / 2) return space
  const unit = text.charCodeAt(limit)
  return unit >= 0xdc00 && unit <= 0xdfff ? limit - 1 : limit
}

function once(load: () => Promise<Vocabulary>): () => Promise<Vocabulary> {
  let loaded: Promise<Vocabulary> | undefined
  return () => (loaded ??= load().then(bounded))
}

function bounded(vocabulary: Vocabulary): Vocabulary {
  vocabulary.setMergeCacheSize(MERGE_CACHE_MAX)
  return vocabulary
}
