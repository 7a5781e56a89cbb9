import { Dispatcher } from 'undici'
import type { CallSockets, SocketRoute } from '../../call.ts'
import type { Continued } from './create-frame.ts'
import type { HttpOnly } from './http-only.ts'
import { handshakeHeaders } from './open-socket.ts'
import { SocketExchange } from './socket-exchange.ts'
import type { UpstreamSockets } from './upstream-sockets.ts'

export interface TurnSocketsInput {
  readonly sockets: UpstreamSockets
  readonly httpOnly: HttpOnly
  readonly lane: string | undefined
  readonly continued: Continued | undefined
  /** What the handshake says about the protocol in `openai-beta`. */
  readonly socketBeta: string
}

/** The vendors' sockets as one call of a connection uses them. */
export class TurnSockets implements CallSockets {
  readonly #input: TurnSocketsInput

  constructor(input: TurnSocketsInput) {
    this.#input = input
  }

  dispatcher(route: SocketRoute): Dispatcher {
    return new TurnDispatcher(this.#input, route)
  }
}

class TurnDispatcher extends Dispatcher {
  readonly #input: TurnSocketsInput
  readonly #route: SocketRoute

  constructor(input: TurnSocketsInput, route: SocketRoute) {
    super()
    this.#input = input
    this.#route = route
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { sockets, httpOnly, lane, continued, socketBeta } = this.#input
    const { channelId, proxy, http } = this.#route
    const url = `${String(options.origin).replace(/^http/, 'ws')}${options.path}`
    const overHttp = () => void http.dispatch(options, handler)
    if (!Buffer.isBuffer(options.body) || httpOnly.has({ channelId, url }))
      return http.dispatch(options, handler)
    const headers = handshakeHeaders(Object(options.headers), socketBeta)
    const target = { channelId, url, proxy, headers }
    const { body } = options
    new SocketExchange({ sockets, httpOnly, target, lane, continued, body, handler, overHttp }).start()
    return true
  }
}
