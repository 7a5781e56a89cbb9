import { codecOf } from '@tollgate/dialects/conversations'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { Ledger } from '@tollgate/ledger/ledger'
import { ErrorSink } from '../deliver/error-sink.ts'
import { Meter } from '../deliver/meter.ts'
import { StreamSink } from '../deliver/stream-sink.ts'
import { WholeSink } from '../deliver/whole-sink.ts'
import type { Held } from '../hold/held.ts'
import type { RelayLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Choice } from '../route/choice.ts'
import type { Exchange, Sink, UpstreamHead } from './exchange.ts'
import { pairRules } from './pair-rules.ts'
import type { Prepared } from './prepare.ts'

export interface ReceivePorts {
  readonly ledger: Pick<Ledger, 'extend' | 'checkpoint'>
  readonly now: () => number
  readonly limits: RelayLimits
  readonly log: Log
}

interface Receiving {
  readonly held: Held
  readonly choice: Choice
  readonly prepared: Prepared
  readonly ports: ReceivePorts
}

/** Looks at the head of an answer and says who takes in the rest. */
export function receiver(receiving: Receiving): (head: UpstreamHead, exchange: Exchange) => Sink {
  return (head, exchange) => {
    if (head.status >= 300) return errorSink(receiving, head, exchange)
    return isStream(receiving, head) ? streamSink(receiving, exchange) : wholeSink(receiving, head, exchange)
  }
}

/** Some upstreams forget the type of a stream; none sends JSON or HTML as one. */
function isStream({ prepared }: Receiving, { headers }: UpstreamHead): boolean {
  return prepared.isStream && !/json|html/i.test(headers['content-type'] ?? '')
}

function errorSink(
  { held, choice, prepared, ports }: Receiving,
  head: UpstreamHead,
  exchange: Exchange,
): Sink {
  const { channel } = choice
  return new ErrorSink({
    exchange,
    head,
    channel,
    settings: held.settings,
    bytesMax: ports.limits.errorBytesMax,
    read: codecOf(prepared.operation, prepared.spoken.codec)?.readError,
  })
}

function wholeSink(receiving: Receiving, head: UpstreamHead, exchange: Exchange): Sink {
  const { held, choice, prepared, ports } = receiving
  return new WholeSink({
    held,
    exchange,
    meter: meterOf(receiving),
    rules: pairRules(held, choice.channel, prepared),
    status: head.status,
    bytesMax: ports.limits.answerBytesMax,
    now: ports.now,
    route: { channel: choice.channel, upstreamModel: prepared.model },
  })
}

function streamSink(receiving: Receiving, exchange: Exchange): Sink {
  const { held, choice, prepared, ports } = receiving
  return new StreamSink({
    held,
    exchange,
    tap: openTap(pairRules(held, choice.channel, prepared)),
    meter: meterOf(receiving),
    now: ports.now,
    route: { channel: choice.channel, upstreamModel: prepared.model },
  })
}

function meterOf({ held, choice, ports }: Receiving): Meter {
  return new Meter({
    held,
    channelId: choice.channel.id,
    ledger: ports.ledger,
    onError: (error) => ports.log.warn({ error, requestId: held.call.id }, 'the hold could not be kept up'),
  })
}
