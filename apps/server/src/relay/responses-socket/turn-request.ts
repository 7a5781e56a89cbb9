import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'

/** Headers that belong to the handshake and not to the calls that follow. */
const OF_HANDSHAKE =
  /^(?:connection|upgrade|keep-alive|te|trailer|expect|transfer-encoding|content-(?:length|type|encoding)|sec-websocket-.*)$/
/** The part of `openai-beta` that asks for the WebSocket itself. */
const SOCKET_BETA = /^responses_websockets=[\w.-]{1,64}$/
/** What OpenAI's own agent sends. */
const SOCKET_BETA_DEFAULT = 'responses_websockets=2026-02-06'

/** One call of a connection as the HTTP request that it would be: headers of the handshake, body of the frame. */
export class TurnRequest extends IncomingMessage {
  constructor(handshake: IncomingMessage, body: Buffer) {
    super(handshake.socket)
    this.method = 'POST'
    this.url = handshake.url
    this.headers = headersOf(handshake.headers)
    this.complete = true
    this.push(body)
    this.push(null)
  }

  /** The whole body is there; that of an `IncomingMessage` would read from the connection. */
  override _read(): void {}

  /** That of an `IncomingMessage` could close the connection. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
  }
}

function headersOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OF_HANDSHAKE.test(name))
  const { 'openai-beta': betas, ...others } = Object.fromEntries(kept)
  const asked = withoutSocketBeta(betas)
  return { ...others, ...(asked !== '' && { 'openai-beta': asked }), 'content-type': 'application/json' }
}

function withoutSocketBeta(betas: string | readonly string[] | undefined): string {
  return betasIn(betas)
    .filter((beta) => !SOCKET_BETA.test(beta))
    .join(', ')
}

/** The version of the protocol that the caller asked for, to ask the vendor for the same. */
export function socketBeta({ headers }: IncomingMessage): string {
  return betasIn(headers['openai-beta']).find((beta) => SOCKET_BETA.test(beta)) ?? SOCKET_BETA_DEFAULT
}

function betasIn(betas: string | readonly string[] = ''): string[] {
  return String(betas)
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}
