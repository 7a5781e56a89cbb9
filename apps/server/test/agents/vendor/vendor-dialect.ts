import type { Json } from './json.ts'

/** One vendor's wire format: how requests are read, which are refused, and the bytes of its responses. */
export interface VendorDialect {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini'
  /** Whether this format serves the path. */
  matches(path: string): boolean
  read(request: { readonly path: string; readonly body: Json }): VendorRequest
  /** The vendor's own error for a request that it does not accept. */
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
  /** Pieces of the prompt as the prompt cache sees them, in the vendor's order. */
  readonly pieces: readonly string[]
  /**
   * Numbers of leading pieces after which the caller set a cache breakpoint; `undefined` where the vendor
   * caches automatically.
   */
  readonly marks?: readonly number[]
  readonly wantsThinking: boolean
  readonly schema?: Json
}

export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
  /** The arguments of a function are JSON; the input of a custom tool is free text. */
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
  /** JSON for a function, free text for a custom tool. */
  readonly input: string
}

/** Token counts; each token is counted in exactly one member, except `reasoning`. */
export interface VendorUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** Included in `output`. */
  readonly reasoning: number
}

export function refused(message: string, status = 400): Refusal {
  return { status, message }
}

/** The first member of the body that the vendor does not know. */
export function unknownMember(body: Json, known: ReadonlySet<string>): string | undefined {
  return Object.keys(body).find((name) => !known.has(name))
}

/** Splits a text into `count` pieces, as streaming does. */
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
