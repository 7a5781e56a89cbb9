import type { IncomingMessage } from 'node:http'
import { conversations } from '@tollgate/dialects/conversations'
import { responseNotFound } from '../response-not-found.ts'
import { Call } from '../call.ts'
import type { ConnectionApp } from './connection-app.ts'
import type { Conversations } from './conversations.ts'
import { OutputItems, type TurnEnd } from './output-items.ts'
import type { TurnFrame } from './read-frame.ts'
import { inputItems, inputValue, type TurnBody, turnBody } from './turn-body.ts'
import { socketBeta, TurnRequest } from './turn-request.ts'
import { TurnResponse } from './turn-response.ts'
import { TurnSockets } from './upstream/turn-sockets.ts'
import type { UpstreamSockets } from './upstream/upstream-sockets.ts'

export interface TurnInput {
  readonly frame: TurnFrame
  readonly lane: string | undefined
  readonly handshake: IncomingMessage
  readonly userId: number
  readonly connectionId: string
  readonly conversations: Conversations
  readonly sockets: UpstreamSockets
  readonly app: ConnectionApp
  readonly send: (frame: string, sent: () => void) => void
  /** Called when the last event of the response has been passed on; the call itself may end a little later. */
  readonly onLastEvent: () => void
  readonly onGivenUp: () => void
}

/** Where the earlier part of a conversation comes from. */
interface Context {
  readonly items?: readonly Buffer[]
  readonly onlyChannel?: number
}

/** One `response.create` of a connection, as one ordinary call. */
export class Turn {
  readonly #input: TurnInput
  readonly #response: TurnResponse
  readonly #isStored: boolean
  readonly #output: OutputItems
  #end: TurnEnd | undefined

  constructor(input: TurnInput) {
    const { frame, lane, app, send, onGivenUp } = input
    this.#input = input
    this.#isStored = isStored(frame)
    this.#output = new OutputItems({ isStored: this.#isStored, bytesMax: app.limits.rememberedBytesMax })
    this.#response = new TurnResponse({
      lane,
      eventBytesMax: app.limits.answerBytesMax,
      send,
      onEvent: (event) => this.#heard(event),
      onGivenUp,
    })
  }

  /** Rejects with a Problem before the call begins; afterwards errors reach the caller as the call's own. */
  async run(): Promise<void> {
    const { frame, handshake, connectionId, app } = this.#input
    const { items, onlyChannel } = await this.#context()
    const body = turnBody(frame, items)
    const call = new Call({
      request: new TurnRequest(handshake, body.bytes),
      response: this.#response,
      clock: app.clock,
      isCrossOrigin: true,
      dialect: conversations.responses.caller,
      connection: connectionId,
      onlyChannel,
      sockets: this.#sockets(body.wholeInput),
    })
    await (frame.isWarmUp ? app.warmUp(call) : app.serve(call))
    this.#noteChannel(call)
  }

  /** The caller left. */
  leave(): void {
    this.#response.destroy()
  }

  #sockets(wholeInput: TurnBody['wholeInput']): TurnSockets {
    const { frame, lane, handshake, sockets, app } = this.#input
    const { previousId } = frame
    const isContinued = previousId !== undefined && wholeInput !== undefined
    const continued = isContinued ? { previousId, wholeInput, newInput: inputValue(frame) } : undefined
    const { httpOnly } = app
    return new TurnSockets({ sockets, httpOnly, lane, continued, socketBeta: socketBeta(handshake) })
  }

  async #context(): Promise<Context> {
    const { frame, userId, conversations: remembered, app } = this.#input
    const { previousId } = frame
    if (previousId === undefined) return {}
    const items = remembered.itemsOf(previousId)
    if (items !== undefined) return { items }
    const onlyChannel = frame.isWarmUp ? undefined : await app.keptResponses.find(userId, previousId)
    if (onlyChannel === undefined) throw responseNotFound(previousId)
    return { onlyChannel }
  }

  #heard(event: string): void {
    if (this.#end !== undefined) return
    this.#end = this.#output.push(event)
    if (this.#end === undefined) return
    this.#remember(this.#end)
    this.#input.onLastEvent()
  }

  #remember({ id, items }: TurnEnd): void {
    if (items === undefined) return
    const { frame, conversations: remembered } = this.#input
    const added = inputItems(frame)
    // A copy, because the input shares memory with the whole frame.
    const input = added === undefined ? [] : [Buffer.from(added)]
    remembered.remember({ id, previousId: frame.previousId, items: [...input, ...items] })
  }

  /** From then on its vendor can be asked for the response, even through another connection. */
  #noteChannel({ trail }: Call): void {
    const { userId, app } = this.#input
    const served = trail.at(-1)
    if (this.#end?.items === undefined || !this.#isStored || served?.outcome !== 'ok') return
    const channel = app.snapshots.roster().channel(served.channelId)
    if (channel?.settings.allowsKeptResponses) app.keptResponses.keep(userId, this.#end.id, channel.id)
  }
}

function isStored({ bytes, members }: TurnFrame): boolean {
  const store = members.get('store')
  return store === undefined || bytes.toString('latin1', store.valueStart, store.valueEnd) !== 'false'
}
