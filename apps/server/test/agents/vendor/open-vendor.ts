import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { chatDialect } from './chat.ts'
import { geminiDialect } from './gemini.ts'
import { type Json, objectOf, parseJson } from './json.ts'
import { messagesDialect } from './messages.ts'
import { PromptCache } from './prompt-cache.ts'
import { responsesDialect } from './responses.ts'
import { callsOf, isTask, type AgentStep, sampleOf, stepOf, task } from './task.ts'
import type {
  Refusal,
  ToolCall,
  VendorAnswer,
  VendorDialect,
  VendorRequest,
  VendorUsage,
} from './vendor-dialect.ts'

/** A scripted vendor that rejects what the real model rejects, and records what it would bill. */
export interface Vendor {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Every request, in the order of arrival. */
  readonly book: readonly Exchange[]
  close(): Promise<void>
}

export type VendorKind = 'openai' | 'anthropic' | 'gemini' | 'strings' | 'template'

export interface Exchange {
  readonly path: string
  readonly body: Json
  /** Absent when the path or the body was refused. */
  readonly request?: VendorRequest
  readonly status: number
  readonly refusal?: string
  /** The usage it bills; absent for calls that were refused or broke off. */
  readonly usage?: VendorUsage
  readonly isBroken: boolean
}

export interface VendorFault {
  /** The fault happens at this step of the task, the first time it is reached. */
  readonly step: AgentStep
  readonly kind: 'busy' | 'broken'
}

export interface VendorOptions {
  /** Folder in which the agent works. */
  readonly folder: string
  readonly fault?: VendorFault
}

const dialects: Readonly<Record<VendorKind, readonly VendorDialect[]>> = {
  openai: [chatDialect('openai'), responsesDialect],
  anthropic: [messagesDialect],
  gemini: [geminiDialect],
  strings: [chatDialect('strings')],
  template: [chatDialect('template')],
}

export async function openVendor(kind: VendorKind, options: VendorOptions): Promise<Vendor> {
  const desk = new VendorDesk(kind, options)
  const server = createServer((request, response) => void desk.answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    book: desk.book,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class VendorDesk {
  readonly book: Exchange[] = []
  #cache = new PromptCache()
  #fault: VendorFault | undefined
  #dialects: readonly VendorDialect[]
  #folder: string

  constructor(kind: VendorKind, { folder, fault }: VendorOptions) {
    this.#dialects = dialects[kind]
    this.#fault = fault
    this.#folder = folder
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    const path = (request.url ?? '').replace(/\?.*$/, '')
    const body = objectOf(parseJson(await readText(request)))
    const dialect = this.#dialects.find((each) => each.matches(path))
    const noted = { path, body, isBroken: false }
    if (!dialect) {
      this.book.push({ ...noted, status: 404, refusal: 'no such path' })
      return sendJson(response, 404, { detail: 'Not Found' })
    }
    const refusal = dialect.refuse({ path, body })
    if (refusal) return this.#refuse(response, { dialect, refusal, noted })
    const read = dialect.read({ path, body })
    const fault = this.#dueFault(read)
    if (fault === 'busy') {
      response.setHeader('retry-after', '1')
      return this.#refuse(response, {
        dialect,
        refusal: { status: 429, message: 'Too many requests' },
        noted,
      })
    }
    const answer = this.#answerTo(read)
    this.book.push({
      ...noted,
      request: read,
      status: 200,
      isBroken: fault === 'broken',
      ...(fault !== 'broken' && { usage: answer.usage }),
    })
    if (!read.isStream) return sendJson(response, 200, dialect.whole(answer))
    sendFrames(response, dialect.stream(answer), fault === 'broken')
  }

  #refuse(
    response: ServerResponse,
    {
      dialect,
      refusal,
      noted,
    }: { dialect: VendorDialect; refusal: Refusal; noted: Omit<Exchange, 'status'> },
  ): void {
    this.book.push({ ...noted, status: refusal.status, refusal: refusal.message })
    sendJson(response, refusal.status, dialect.error(refusal))
  }

  #dueFault(read: VendorRequest): VendorFault['kind'] | undefined {
    const fault = this.#fault
    if (!fault || !isTask(read) || stepOf(read) !== fault.step) return undefined
    this.#fault = undefined
    return fault.kind
  }

  #answerTo(read: VendorRequest): VendorAnswer {
    const id = `a${this.book.length + 1}`
    const calls = callsOf(read, this.#folder).map((call, index): ToolCall => ({
      ...call,
      id: `call_${id}_${index + 1}`,
    }))
    const thinking =
      read.wantsThinking && isTask(read) ? 'Thinking about the next step of the work.' : undefined
    const text = calls.length > 0 ? undefined : textFor(read)
    const said = {
      id,
      model: read.model,
      calls,
      ...(thinking && { thinking }),
      ...(text !== undefined && { text }),
    }
    return { ...said, usage: { ...this.#cache.count(read.model, read), ...outputOf(said) } }
  }
}

function textFor(read: VendorRequest): string {
  if (read.schema) return JSON.stringify(sampleOf(read.schema))
  return isTask(read) ? task.ending : 'Read, run and write'
}

function outputOf({
  calls,
  thinking = '',
  text = '',
}: Omit<VendorAnswer, 'usage'>): Pick<VendorUsage, 'output' | 'reasoning'> {
  const reasoning = Math.ceil(thinking.length / 4)
  const said = text.length + calls.reduce((sum, { input }) => sum + input.length, 0)
  return { reasoning, output: reasoning + Math.max(1, Math.ceil(said / 4)) }
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes)
}

/** A broken stream ends half-way by closing the connection. */
function sendFrames(response: ServerResponse, frames: readonly string[], isBroken: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (!isBroken) return void response.end(frames.join(''))
  const half = frames.slice(0, Math.ceil(frames.length / 2)).join('')
  response.write(half, () => setTimeout(() => response.destroy(), 50))
}
