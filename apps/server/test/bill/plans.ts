import { TOKENS } from '../relay/answer-bills.ts'
import type { BillRule } from '../relay/call-bills.ts'
import type { Random } from '../relay/random.ts'
import type { SendInput } from '../relay/send.ts'
import { billRules } from '../relay/vendor-bills.ts'
import { billFee } from './vendors/price-list.ts'
import { moments, type Moment, type VendorPlan } from './vendors/plan.ts'
import type { VendorName, VendorStep, VendorWork } from './vendors/rules.ts'

/** How many calls of each kind a run makes; the rest are of any kind. */
export interface BillSizes {
  readonly calls: number
  /** Callers who leave, at each moment. */
  readonly leavers: number
  readonly fallbacks: number
  readonly iterations: number
  /** Of each fee that a vendor bills. */
  readonly fees: number
}

export interface PlannedCall {
  readonly tag: string
  readonly kind: 'plain' | 'fallback' | 'iterations' | 'fee'
  /** The fee of a call of the kind `fee`. */
  readonly fee?: string
  readonly plan: VendorPlan
  readonly send: Pick<SendInput, 'path' | 'headers' | 'body'>
}

const WORDS_MAX = 400
const OUTPUT_MAX = 300
const vendors: readonly VendorName[] = ['chat', 'chat', 'messages', 'messages', 'gemini', 'pictures']
const models: Readonly<Record<VendorName, string>> = {
  chat: 'gpt-4o',
  messages: 'claude-haiku-4-5',
  gemini: 'gemini-2.5-flash',
  pictures: 'bill-picture',
}
const DEAR = 'claude-opus-4-5'

export function planCalls(sizes: BillSizes, random: Random): readonly PlannedCall[] {
  const kinds: readonly KindChoice[] = [
    ...moments.flatMap((leaveAt) => repeat(sizes.leavers, { kind: 'plain', leaveAt } as const)),
    ...repeat(sizes.fallbacks, { kind: 'fallback' } as const),
    ...repeat(sizes.iterations, { kind: 'iterations' } as const),
  ]
  const fees = billRules.flatMap((rule) => repeat(sizes.fees, rule))
  const rest = repeat<KindChoice>(Math.max(0, sizes.calls - kinds.length - fees.length), { kind: 'plain' })
  const calls = [...kinds, ...rest].map(({ kind, leaveAt }, index) =>
    planCall({ tag: String(index), kind, leaveAt, random }),
  )
  return [...calls, ...fees.map((rule, at) => planFee(rule, { tag: String(calls.length + at), random }))]
}

/** A call that uses what a vendor bills beside tokens. */
function planFee(
  rule: BillRule,
  { tag, random }: { readonly tag: string; readonly random: Random },
): PlannedCall {
  const { fee, model } = rule
  const { path, body, answer, perThousand, units } = rule.call(1 + random.below(6))
  const tokens = TOKENS.input + TOKENS.output
  const work = {
    model,
    fresh: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 0,
    reasoning: 0,
    steps: [],
  }
  // The text of every call of these rules is one letter.
  const tagged: Record<string, unknown> = JSON.parse(
    JSON.stringify(body).replace(':"x"', `:"call-${tag}; x"`),
  )
  return {
    tag,
    kind: 'fee',
    fee: `${fee} by ${model}`,
    plan: {
      vendor: 'chat',
      isStream: false,
      work,
      refusals: random.below(5) === 0 ? 1 : 0,
      isFailing: false,
      leaveAt: undefined,
      fixed: { answer, units: billFee(perThousand, { units, tokens }) },
    },
    send:
      path === 'generate'
        ? { path: `/v1beta/models/${model}:generateContent`, body: tagged }
        : { path, body: { model, ...tagged } },
  }
}

interface KindChoice {
  readonly kind: PlannedCall['kind']
  readonly leaveAt?: Moment
}

function repeat<T>(count: number, value: T): readonly T[] {
  return Array.from({ length: count }, () => value)
}

interface CallInput {
  readonly tag: string
  readonly kind: PlannedCall['kind']
  readonly leaveAt: Moment | undefined
  readonly random: Random
}

function planCall({ tag, kind, leaveAt, random }: CallInput): PlannedCall {
  const any = vendors[random.below(vendors.length)] ?? 'chat'
  const unread = leaveAt === 'unread' ? 'chat' : any
  const vendor = kind === 'plain' ? unread : 'messages'
  const words = 20 + random.below(WORDS_MAX)
  const work = makeWork({ vendor, kind, words, random })
  const isStream = vendor !== 'pictures' && random.below(2) === 0
  const plan = {
    vendor,
    isStream,
    work,
    refusals: random.below(5) === 0 ? 1 : 0,
    // A vendor that fails has no later moments.
    isFailing: (leaveAt ?? 'read') === 'read' && random.below(20) === 0,
    leaveAt,
  }
  return { tag, kind, plan, send: writeCall({ tag, kind, plan, words }) }
}

interface WorkInput {
  readonly vendor: VendorName
  readonly kind: PlannedCall['kind']
  readonly words: number
  readonly random: Random
}

/** What the vendor reads is about what the request contains. */
function makeWork({ vendor, kind, words, random }: WorkInput): VendorWork {
  const cacheRead = random.below(3) === 0 ? random.below(words) : 0
  const isWriting = vendor === 'messages' && random.below(3) === 0
  const written = isWriting ? random.below(words - cacheRead) : 0
  const isLong = random.below(2) === 0
  const output = 1 + random.below(OUTPUT_MAX - 1)
  return {
    model: kind === 'fallback' ? DEAR : models[vendor],
    fresh: words - cacheRead - written,
    cacheRead,
    cacheWrite5m: isLong ? 0 : written,
    cacheWrite1h: isLong ? written : 0,
    output,
    reasoning: vendor === 'messages' ? 0 : random.below(output),
    steps: makeSteps(kind, words, random),
  }
}

function makeSteps(kind: PlannedCall['kind'], words: number, random: Random): readonly VendorStep[] {
  const { messages: model } = models
  if (kind === 'fallback') return [{ type: 'declined', model, input: words, output: 0 }]
  if (kind === 'plain') return []
  const input = 1 + random.below(words)
  const output = 1 + random.below(100)
  const isAdvice = random.below(2) === 0
  return [
    isAdvice
      ? { type: 'advisor_message', model: DEAR, input, output }
      : { type: 'compaction', model, input, output },
  ]
}

interface RequestInput extends Pick<PlannedCall, 'tag' | 'kind' | 'plan'> {
  readonly words: number
}

/** Bytes that no connection takes before its other side reads. */
const UNREAD_BYTES = 12 * 1024 * 1024

function writeCall({ tag, kind, plan, words }: RequestInput): PlannedCall['send'] {
  const text = `call-${tag}; ${'word '.repeat(words)}`
  const { isStream, work } = plan
  if (plan.vendor === 'pictures')
    return { path: '/v1/images/generations', body: { model: models.pictures, prompt: text, n: 1 } }
  if (plan.vendor === 'gemini') return geminiRequest(text, isStream)
  const common = { max_tokens: OUTPUT_MAX, ...(isStream && { stream: true }) }
  if (plan.vendor === 'chat') {
    const image = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${'A'.repeat(UNREAD_BYTES)}` },
    }
    const content = plan.leaveAt === 'unread' ? [{ type: 'text', text }, image] : text
    const body = { model: models.chat, messages: [{ role: 'user', content }], ...common }
    return { path: '/v1/chat/completions', body }
  }
  const isLong = work.cacheWrite1h > 0
  const control = isLong || work.cacheWrite5m > 0
  const block = {
    type: 'text',
    text,
    ...(control && { cache_control: { type: 'ephemeral', ...(isLong && { ttl: '1h' }) } }),
  }
  const messages = [{ role: 'user', content: [block] }]
  return {
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model: models.messages, messages, ...common, ...furtherMembers(kind, work) },
  }
}

function geminiRequest(text: string, isStream: boolean): PlannedCall['send'] {
  const action = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return {
    path: `/v1beta/models/${models.gemini}:${action}`,
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { maxOutputTokens: OUTPUT_MAX },
    },
  }
}

function furtherMembers(kind: PlannedCall['kind'], { steps }: VendorWork): Record<string, unknown> {
  if (kind === 'fallback') return { fallbacks: [{ model: DEAR }] }
  if (kind === 'plain') return {}
  if (steps.some(({ type }) => type === 'compaction'))
    return { context_management: { edits: [{ type: 'compact_20260112' }] } }
  return { tools: [{ type: 'advisor_20260301', name: 'advisor', model: DEAR, max_uses: 1 }] }
}
