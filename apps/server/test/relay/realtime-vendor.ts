import { once } from 'node:events'
import { createServer } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import { WebSocket, WebSocketServer, type RawData } from 'ws'

/** Tokens of text that the vendor bills for one answer or transcript. */
export interface BilledTokens {
  readonly input: number
  readonly output: number
}

/**
 * A vendor of realtime sessions with a book of its own: it bills every answer and transcript that it was asked
 * for, also when nobody is there to read it. A test decides when each of them begins and ends.
 */
export async function openRealtimeVendor() {
  const sessions: BilledSession[] = []
  const server = createServer()
  const door = new WebSocketServer({ server })
  door.on('connection', (socket) => sessions.push(new BilledSession(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    sessions,
    close: () => {
      for (const socket of door.clients) socket.terminate()
      server.close()
    },
  }
}

export interface BilledWork {
  readonly id: string
  readonly isTranscript: boolean
  readonly metadata: unknown
  readonly bill: BilledTokens
}

export class BilledSession {
  readonly socket: WebSocket
  /** What was asked for, in order. */
  readonly works: BilledWork[] = []
  readonly received: Record<string, unknown>[] = []
  /** How many tokens the next work takes. */
  nextBill: () => BilledTokens = () => ({ input: 1_000, output: 200 })

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('message', (data) => this.#receive(JSON.parse(readText(data))))
    this.say('session.created', { session: { input_audio_transcription: { model: 'whisper-1' } } })
  }

  get billed(): readonly BilledTokens[] {
    return this.works.map(({ bill }) => bill)
  }

  say(type: string, more: object = {}): void {
    if (this.socket.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ type, event_id: 'event_1', ...more }))
  }

  begin({ id, isTranscript, metadata }: BilledWork): void {
    if (isTranscript) this.say('input_audio_buffer.committed', { item_id: id })
    else this.say('response.created', { response: { id, metadata } })
  }

  part({ id, isTranscript }: BilledWork): void {
    if (isTranscript) this.say(`${TRANSCRIPTION}.delta`, { item_id: id, delta: 'word' })
    else this.say('response.output_text.delta', { response_id: id, delta: 'word word' })
  }

  finish({ id, isTranscript, bill }: BilledWork): void {
    const usage = {
      type: 'tokens',
      input_tokens: bill.input,
      output_tokens: bill.output,
      total_tokens: bill.input + bill.output,
    }
    if (isTranscript) this.say(`${TRANSCRIPTION}.completed`, { item_id: id, transcript: 'word', usage })
    else this.say('response.done', { response: { id, status: 'completed', usage } })
  }

  #receive(event: Record<string, unknown>): void {
    this.received.push(event)
    const isTranscript = event['type'] === 'input_audio_buffer.commit'
    if (!isTranscript && event['type'] !== 'response.create') return
    const response = event['response']
    const metadata = typeof response === 'object' && response && 'metadata' in response && response.metadata
    const id = `${isTranscript ? 'item' : 'resp'}_${this.works.length}`
    this.works.push({ id, isTranscript, metadata: metadata || undefined, bill: this.nextBill() })
  }
}

const TRANSCRIPTION = 'conversation.item.input_audio_transcription'

export function readText(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : ''
}
