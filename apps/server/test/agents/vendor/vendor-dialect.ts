import type { Json } from './json.ts'

/** One wire format as its vendor serves it: what a request says, what is refused, and the bytes of an answer. */
export interface VendorDialect {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini'
  /** Whether a path belongs to it. */
  matches(path: string): boolean
  read(request: { readonly path: string; readonly body: Json }): VendorRequest
  /** The vendor's own words for what it does not take. */
  refuse(request: { readonly path: string; readonly body: Json }): Refusal | undefined
  stream(answer: VendorAnswer): readonly string[]
  whole(answer: VendorAnswer): Json
  error(refusal: Refusal): Json
}

export interface Refusal {
  readonly status: number
  readonly message: string
}

export interface VendorRequest {
  readonly model: string
  readonly isStream: boolean
  readonly tools: readonly OfferedTool[]
  /** Texts of the tool results in the conversation. */
  readonly results: readonly string[]
  /** What a prompt cache sees, in the vendor's order. */
  readonly pieces: readonly string[]
  /** Numbers of leading pieces after which the caller asks to cache; `undefined` where the vendor caches unasked. */
  readonly marks?: readonly number[]
  readonly wantsThinking: boolean
  readonly schema?: Json
}

export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
  /** A function takes JSON; a custom tool takes free text. */
  readonly kind: 'function' | 'custom'
  readonly schema: Json
}

export interface VendorAnswer {
  readonly id: string
  readonly model: string
  readonly thinking?: string
  readonly text?: string
  readonly calls: readonly ToolCall[]
  readonly usage: VendorUsage
}

export interface ToolCall {
  readonly id: string
  readonly tool: OfferedTool
  /** JSON of a function, free text of a custom tool. */
  readonly input: string
}

/** Tokens, each counted once. */
export interface VendorUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** Part of the output. */
  readonly reasoning: number
}

export function refused(message: string, status = 400): Refusal {
  return { status, message }
}

/** The first member that a vendor does not know. */
export function unknownMember(body: Json, known: ReadonlySet<string>): string | undefined {
  return Object.keys(body).find((name) => !known.has(name))
}

/** Splits a text as a stream would. */
export function inPieces(text: string, count = 3): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function eventFrame(type: string, value: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`
}
