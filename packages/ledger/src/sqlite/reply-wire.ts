import type { Alarm, CommandType, Outcome, OutcomeOf, Refusal } from '../core/command.ts'
import type { FoldReply, Reply } from '../core/storage.ts'
import type { HeldElsewhere, ReserveRefusal } from '../results.ts'
import {
  decodeGrant,
  decodeScarce,
  decodeTaken,
  encodeGrant,
  encodeScarce,
  encodeTaken,
} from './allotment-wire.ts'
import { WireReader, type WireValue, wireAmount } from './wire.ts'

interface Codec<O extends Outcome> {
  encode(outcome: O): readonly WireValue[]
  decode(wire: WireReader): O
}

const done: Codec<OutcomeOf['checkpoint']> = { encode: () => [], decode: () => ({ type: 'done' }) }

const settled: Codec<OutcomeOf['settle']> = {
  encode: (outcome) => [wireAmount(outcome.charged), wireAmount(outcome.waived), Number(outcome.late)],
  decode: (wire) => ({ charged: wire.amount(), waived: wire.amount(), late: wire.flag() }),
}

const credited: Codec<OutcomeOf['credit']> = {
  encode: (outcome) =>
    outcome.type === 'credited' ? [outcome.type, Number(outcome.repeated)] : [outcome.type],
  decode: (wire) =>
    wire.text() === 'credited' ? { type: 'credited', repeated: wire.flag() } : { type: 'conflict' },
}

const folded: Codec<OutcomeOf['fold']> = {
  encode: (outcome) =>
    outcome.type === 'moved'
      ? [outcome.position]
      : [
          null,
          encodeTaken(outcome.taken),
          outcome.recovered,
          encodeScarce(outcome.scarce),
          outcome.to ?? null,
        ],
  decode: (wire) => {
    const position = wire.optionalNumber()
    if (position !== undefined) return { type: 'moved', position }
    const taken = decodeTaken(wire.readers())
    const range = {
      type: 'folded' as const,
      taken,
      recovered: wire.number(),
      scarce: decodeScarce(wire.readers()),
    }
    const to = wire.optionalNumber()
    return to === undefined ? range : { ...range, to }
  },
}

const codecs: { readonly [T in CommandType]: Codec<OutcomeOf[T]> } = {
  reserve: {
    encode: (outcome) => {
      return outcome.type === 'reserved' ? [] : encodeRefusal(outcome)
    },
    decode: (wire) => {
      const by = wire.optionalText()
      return by === undefined ? { type: 'reserved' } : decodeRefusal(by, wire)
    },
  },
  extend: {
    encode: (outcome) =>
      outcome.type === 'extended' ? [outcome.type, wireAmount(outcome.held)] : [outcome.type],
    decode: (wire) => {
      const type = wire.text()
      if (type === 'extended') return { type, held: wire.amount() }
      return { type: type === 'refused' ? 'refused' : 'ended' }
    },
  },
  checkpoint: done,
  settle: settled,
  release: done,
  recover: settled,
  credit: credited,
  adjust: {
    encode: (outcome) => [outcome.type, ...adjustDetail(outcome)],
    decode: (wire) => decodeAdjust(wire.text(), wire),
  },
  refund: {
    encode: (outcome) => (outcome.type === 'changed' ? [outcome.type] : credited.encode(outcome)),
    decode: (wire) => {
      const type = wire.text()
      if (type === 'credited') return { type, repeated: wire.flag() }
      return { type: type === 'changed' ? 'changed' : 'conflict' }
    },
  },
  transfer: {
    encode: (outcome) => [outcome.type, ...transferDetail(outcome)],
    decode: (wire) => {
      const type = wire.text()
      if (type === 'transferred') return { type, repeated: wire.flag() }
      return type === 'refused' ? { type, remaining: wire.amount() } : { type: 'conflict' }
    },
  },
  open: {
    encode: (outcome) =>
      outcome.type === 'opened' ? [outcome.type, Number(outcome.repeated)] : [outcome.type],
    decode: (wire) => {
      const type = wire.text()
      if (type === 'opened') return { type, repeated: wire.flag() }
      return { type: type === 'occupied' ? 'occupied' : 'conflict' }
    },
  },
  allot: {
    encode: (outcome) => {
      if (outcome.type !== 'allotted') return encodeRefusal(outcome)
      const { instanceId, grants, taken } = outcome
      return [null, instanceId, grants.map(encodeGrant), encodeTaken(taken)]
    },
    decode: (wire) => {
      const by = wire.optionalText()
      if (by === undefined)
        return {
          type: 'allotted',
          instanceId: wire.text(),
          grants: wire.readers().map(decodeGrant),
          taken: decodeTaken(wire.readers()),
        }
      return decodeRefusal(by, wire)
    },
  },
  giveBack: {
    encode: ({ scarce, taken }) => [encodeScarce(scarce), encodeTaken(taken)],
    decode: (wire) => ({
      type: 'returned',
      scarce: decodeScarce(wire.readers()),
      taken: decodeTaken(wire.readers()),
    }),
  },
  recall: {
    encode: ({ waiting }) => [waiting],
    decode: (wire) => ({ type: 'recalled', waiting: wire.list().map(Number) }),
  },
  fold: folded,
  reclaim: done,
}

function encodeRefusal(refusal: Refusal): readonly WireValue[] {
  const elsewhere = encodeElsewhere(refusal.elsewhere)
  const taken = refusal.taken ? encodeTaken(refusal.taken) : []
  if (refusal.type === 'crowded') return [refusal.type, elsewhere, taken]
  const { by, remaining, isAlone } = refusal
  return [by, elsewhere, taken, wireAmount(remaining), isAlone === undefined ? null : Number(isAlone)]
}

function decodeRefusal(by: string, wire: WireReader): Refusal {
  const elsewhere = decodeElsewhere(wire.optionalReader())
  const accounts = decodeTaken(wire.readers())
  const taken = accounts.length > 0 && { taken: accounts }
  if (by === 'crowded') return { type: by, ...elsewhere, ...taken }
  const remaining = wire.amount()
  const alone = wire.optionalNumber()
  const known = alone === undefined ? {} : { isAlone: alone === 1 }
  return { type: 'refused', by: asRefuser(by), remaining, ...known, ...elsewhere, ...taken }
}

function encodeElsewhere(elsewhere: HeldElsewhere | undefined): WireValue {
  return elsewhere ? [elsewhere.account, elsewhere.untilMs, Number(elsewhere.mayReturn)] : null
}

function decodeElsewhere(wire: WireReader | undefined): { readonly elsewhere?: HeldElsewhere } {
  if (!wire) return {}
  return { elsewhere: { account: wire.number(), untilMs: wire.number(), mayReturn: wire.flag() } }
}

/** Safe cast: only valid values are encoded. */
function asRefuser(text: string): ReserveRefusal['by'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return text as ReserveRefusal['by']
}

function adjustDetail(outcome: OutcomeOf['adjust']): readonly WireValue[] {
  if (outcome.type === 'adjusted')
    return [wireAmount(outcome.before), wireAmount(outcome.after), Number(outcome.repeated)]
  if (outcome.type === 'changed') return [wireAmount(outcome.actual)]
  return outcome.type === 'refused' ? [wireAmount(outcome.remaining)] : []
}

function decodeAdjust(type: string, wire: WireReader): OutcomeOf['adjust'] {
  if (type === 'adjusted') return { type, before: wire.amount(), after: wire.amount(), repeated: wire.flag() }
  if (type === 'changed') return { type, actual: wire.amount() }
  return type === 'refused' ? { type, remaining: wire.amount() } : { type: 'conflict' }
}

function transferDetail(outcome: OutcomeOf['transfer']): readonly WireValue[] {
  if (outcome.type === 'transferred') return [Number(outcome.repeated)]
  return outcome.type === 'refused' ? [wireAmount(outcome.remaining)] : []
}

export function encodeReply(type: CommandType, reply: Reply): WireValue {
  if (reply.type === 'failed') return reply.detail
  const { outcome, alarm } = reply.decision
  const values = codecOf(type).encode(outcome)
  return alarm ? [values, alarm.type, alarm.detail] : [values]
}

export function decodeReply(type: CommandType, value: WireValue): Reply {
  if (typeof value === 'string') return { type: 'failed', detail: value }
  const wire = new WireReader(value)
  const outcome = codecOf(type).decode(new WireReader(wire.list()))
  const alarmType = wire.optionalText()
  if (alarmType === undefined) return { type: 'decided', decision: { outcome } }
  return {
    type: 'decided',
    decision: { outcome, alarm: { type: asAlarmType(alarmType), detail: wire.text() } },
  }
}

export function encodeFold({ result, alarms }: FoldReply): string {
  return JSON.stringify([folded.encode(result), alarms.map(({ type, detail }) => [type, detail])])
}

export function decodeFold(text: string): FoldReply {
  const wire = WireReader.parse(text)
  const result = folded.decode(new WireReader(wire.list()))
  const alarms = wire.readers().map((each) => ({ type: asAlarmType(each.text()), detail: each.text() }))
  return { result, alarms }
}

/** Safe lookup: the core returns an outcome of the command's own type, so the codec matches. */
function codecOf(type: CommandType): Codec<Outcome> {
  return codecs[type]
}

/** Safe cast: only valid alarm types are encoded. */
function asAlarmType(text: string): Alarm['type'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return text as Alarm['type']
}
