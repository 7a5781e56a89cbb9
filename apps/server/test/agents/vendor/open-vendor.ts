import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { ResponsesSockets, type SocketRequest } from '../../relay/responses-sockets.ts'
import { chatDialect } from './chat.ts'
import { geminiDialect } from './gemini.ts'
import { type Json, objectOf, parseJson } from './json.ts'
import { messagesDialect } from './messages.ts'
import { PromptCache } from './prompt-cache.ts'
import { responsesDialect } from './responses.ts'
import { callsOf, isTask, roundOf, type AgentStep, sampleOf, stepOf, task, type TaskScript } from './task.ts'
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
  /** Number of WebSockets that were opened. */
  readonly sockets: () => number
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
  readonly usage?: VendorUsage | undefined
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
  /** Each happens once. */
  readonly faults?: readonly VendorFault[]
  /** See `TaskScript`. */
  readonly rounds?: number
  readonly pause?: VendorPause
}

/** The answer to this round of a long session waits for `until`, once. */
export interface VendorPause {
  readonly round: number
  readonly until: () => Promise<void>
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
  const sockets = new ResponsesSockets(server, (request) => desk.frames(request))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    book: desk.book,
    sockets: () => sockets.opened.length,
    close: () =>
      new Promise((resolve) => {
        sockets.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class VendorDesk {
  readonly book: Exchange[] = []
  #cache = new PromptCache()
  #faults: readonly VendorFault[]
  #dialects: readonly VendorDialect[]
  #place: TaskScript
  #pause: VendorPause | undefined

  constructor(kind: VendorKind, { folder, faults = [], rounds = 0, pause }: VendorOptions) {
    this.#dialects = dialects[kind]
    this.#faults = faults
    this.#place = { folder, rounds }
    this.#pause = pause
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    const url = request.url ?? ''
    const body = objectOf(parseJson(await readText(request)))
    const key = keyIn(request.headers) ?? url
    const reply = this.#replyTo({ path: url.replace(/\?.*$/, ''), body, key })
    if ('refusal' in reply) {
      const { refusal, dialect } = reply
      if (refusal.status === 429) response.setHeader('retry-after', '1')
      return sendJson(response, refusal.status, dialect?.error(refusal) ?? { detail: refusal.message })
    }
    const { dialect, answer, isStream, isBroken } = reply
    await this.#waitAt(reply)
    if (!isStream) return sendJson(response, 200, dialect.whole(answer))
    sendFrames(response, dialect.stream(answer), isBroken)
  }

  /** The same over a WebSocket: the events of the response as frames, of a broken one only the first half. */
  async frames({ body, headers, socket }: SocketRequest): Promise<readonly Json[]> {
    const { type: _type, previous_response_id: _id, ...members } = body
    const streamed = { ...members, stream: true }
    const reply = this.#replyTo({ path: '/v1/responses', body: streamed, key: keyIn(headers) ?? '' })
    if ('refusal' in reply) {
      const { refusal, dialect } = reply
      return [
        {
          type: 'error',
          ...dialect?.error(refusal),
          status: refusal.status,
          headers: { 'retry-after': '1' },
        },
      ]
    }
    await this.#waitAt(reply)
    const events = reply.dialect.stream(reply.answer).map(eventIn)
    if (!reply.isBroken) return events
    for (const event of events.slice(0, Math.ceil(events.length / 2))) socket.send(JSON.stringify(event))
    setTimeout(() => socket.terminate(), 50)
    return []
  }

  #replyTo({ path, body, key }: { path: string; body: Json; key: string }): Reply | Refused {
    const dialect = this.#dialects.find((each) => each.matches(path))
    const noted = { path, body, isBroken: false }
    const refuse = (refusal: Refusal): Refused => {
      this.book.push({ ...noted, status: refusal.status, refusal: refusal.message })
      return { refusal, dialect }
    }
    if (!dialect) return refuse({ status: 404, message: 'no such path' })
    const refusal = dialect.refuse({ path, body })
    if (refusal) return refuse(refusal)
    const read = dialect.read({ path, body })
    const fault = this.#dueFault(read)
    if (fault === 'busy') return refuse({ status: 429, message: 'Too many requests' })
    const answer = this.#answerTo(read, key)
    const isBroken = fault === 'broken'
    const usage = isBroken ? undefined : answer.usage
    this.book.push({ ...noted, request: read, status: 200, isBroken, usage })
    return { dialect, answer, isStream: read.isStream, isBroken, round: roundOf(read) }
  }

  async #waitAt({ round }: Reply): Promise<void> {
    const pause = this.#pause
    if (pause === undefined || round !== pause.round) return
    this.#pause = undefined
    await pause.until()
  }

  #dueFault(read: VendorRequest): VendorFault['kind'] | undefined {
    const due = isTask(read)
      ? this.#faults.find(({ step }) => step === stepOf(read, this.#place.rounds))
      : undefined
    this.#faults = this.#faults.filter((fault) => fault !== due)
    return due?.kind
  }

  #answerTo(read: VendorRequest, key: string): VendorAnswer {
    const id = `a${this.book.length + 1}`
    const calls = callsOf(read, this.#place).map((call, index): ToolCall => ({
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
    return { ...said, usage: { ...this.#cache.count(`${key} ${read.model}`, read), ...outputOf(said) } }
  }
}

interface Reply {
  readonly dialect: VendorDialect
  readonly answer: VendorAnswer
  readonly isStream: boolean
  readonly isBroken: boolean
  /** 0 before the first round of a long session. */
  readonly round: number
}

interface Refused {
  /** Absent for a path that no dialect serves. */
  readonly dialect: VendorDialect | undefined
  readonly refusal: Refusal
}

/** The key by which the vendor knows its customer. */
function keyIn(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key, 'x-goog-api-key': googleKey } = headers
  return [authorization, key, googleKey].flat().find((each) => each !== undefined)
}

function eventIn(frame: string): Json {
  return objectOf(parseJson(frame.slice(frame.indexOf('data: ') + 'data: '.length)))
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
