import { invariant } from '@tollgate/kit/invariant'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { Command, CommandType, InputOf } from '../core/command.ts'
import type { CreditSpacing, NewTask, SettleFlag, TaskEnd } from '../inputs.ts'
import { decodeReport, encodeReport } from './allotment-wire.ts'
import {
  decodeBudget,
  decodeLimits,
  decodeOverdraft,
  encodeBudget,
  encodeLimits,
  encodeOverdraft,
  setIfPresent,
} from './admission-wire.ts'
import { decodeLog, encodeLog } from './log-wire.ts'
import { type WireReader, type WireTexts, type WireValue, wireAmount } from './wire.ts'

interface Codec<T extends CommandType> {
  encode(input: InputOf<T>, texts: WireTexts): readonly WireValue[]
  decode(wire: WireReader): InputOf<T>
}

/** Folding and returning allotments begin beside the database. */
export type SentType = Exclude<CommandType, 'fold' | 'reclaim'>
type SentCommand = Extract<Command, { type: SentType }>

const codecs: { readonly [T in SentType]: Codec<T> } = {
  reserve: {
    encode: (input, texts) => [
      input.holdId,
      input.userAccount,
      input.tokenAccount ?? null,
      wireAmount(input.amount),
      wireAmount(input.ceiling),
      texts.shared(input.priceJson),
      input.limits ? encodeLimits(input.limits) : null,
      encodeOverdraft(input.overdraft),
      texts.sharedList(input.furtherPrices),
    ],
    decode: (wire) => ({
      holdId: wire.text(),
      userAccount: wire.number(),
      ...setIfPresent('tokenAccount', wire.optionalNumber()),
      amount: wire.amount(),
      ceiling: wire.amount(),
      priceJson: wire.longText(),
      ...setIfPresent('limits', decodeLimits(wire.optionalReader())),
      ...setIfPresent('overdraft', decodeOverdraft(wire.optionalReader())),
      ...setIfPresent('furtherPrices', wire.optionalLongTexts()),
    }),
  },
  extend: {
    encode: (input) => [
      input.holdId,
      wireAmount(input.amount),
      input.movesCeiling ? 1 : null,
      ...encodeBudget(input.budget),
    ],
    decode: (wire) => ({
      holdId: wire.text(),
      amount: wire.amount(),
      ...setIfPresent('movesCeiling', asBoolean(wire.optionalNumber())),
      ...setIfPresent('budget', decodeBudget(wire)),
    }),
  },
  checkpoint: {
    encode: (input) => [input.holdId, wireAmount(input.amount), input.channelId ?? null],
    decode: (wire) => ({
      holdId: wire.text(),
      amount: wire.amount(),
      ...setIfPresent('channelId', wire.optionalNumber()),
    }),
  },
  settle: {
    encode: (input, texts) => [
      input.holdId,
      wireAmount(input.amount),
      input.flags,
      input.channelId ?? null,
      texts.own(input.usageJson),
      input.log ? encodeLog(input.log, texts) : null,
      input.task ? texts.own(JSON.stringify(input.task)) : null,
      input.priceJson === undefined ? null : texts.shared(input.priceJson),
      texts.sharedList(input.partPrices),
    ],
    decode: (wire) => ({
      holdId: wire.text(),
      amount: wire.amount(),
      flags: asFlags(wire.list()),
      ...setIfPresent('channelId', wire.optionalNumber()),
      usageJson: wire.longText(),
      ...toldLog(wire.optionalReader()),
      ...setIfPresent('task', asTask(wire.optionalLongText())),
      ...setIfPresent('priceJson', wire.optionalLongText()),
      ...setIfPresent('partPrices', wire.optionalLongTexts()),
    }),
  },
  release: {
    encode: (input, texts) => [input.holdId, input.log ? encodeLog(input.log, texts) : null],
    decode: (wire) => ({ holdId: wire.text(), ...toldLog(wire.optionalReader()) }),
  },
  recover: {
    encode: (input) => [input.holdId],
    decode: (wire) => ({ holdId: wire.text() }),
  },
  credit: {
    encode: (input, texts) => [
      input.key,
      input.account,
      wireAmount(input.amount),
      input.note ?? null,
      input.spacing ? texts.own(JSON.stringify(input.spacing)) : null,
    ],
    decode: (wire) => ({
      key: wire.text(),
      account: wire.number(),
      amount: wire.amount(),
      ...setIfPresent('note', wire.optionalText()),
      ...setIfPresent('spacing', asSpacing(wire.optionalLongText())),
    }),
  },
  adjust: {
    encode: (input, texts) => [
      input.key,
      input.account,
      wireAmount(input.delta),
      input.expected === undefined ? null : wireAmount(input.expected),
      input.unlimited === undefined ? null : Number(input.unlimited),
      input.note ?? null,
      input.notice ? texts.own(JSON.stringify(input.notice)) : null,
    ],
    decode: (wire) => ({
      key: wire.text(),
      account: wire.number(),
      delta: wire.amount(),
      ...setIfPresent('expected', wire.optionalAmount()),
      ...setIfPresent('unlimited', asBoolean(wire.optionalNumber())),
      ...setIfPresent('note', wire.optionalText()),
      ...setIfPresent('notice', asNotice(wire.optionalLongText())),
    }),
  },
  refund: {
    encode: (input, texts) => [
      input.taskId,
      input.requestId,
      wireAmount(input.amount),
      input.end ? texts.own(JSON.stringify(input.end)) : null,
      input.notice ? texts.own(JSON.stringify(input.notice)) : null,
      input.log ? encodeLog(input.log, texts) : null,
    ],
    decode: (wire) => ({
      taskId: wire.text(),
      requestId: wire.text(),
      amount: wire.amount(),
      ...setIfPresent('end', asTaskEnd(wire.optionalLongText())),
      ...setIfPresent('notice', asNotice(wire.optionalLongText())),
      ...toldLog(wire.optionalReader()),
    }),
  },
  transfer: {
    encode: (input) => [input.key, input.from, input.to, wireAmount(input.amount)],
    decode: (wire) => ({ key: wire.text(), from: wire.number(), to: wire.number(), amount: wire.amount() }),
  },
  open: {
    encode: (input) => [
      input.key,
      input.account,
      wireAmount(input.remaining),
      wireAmount(input.used),
      input.unlimited === undefined ? null : Number(input.unlimited),
      input.note ?? null,
    ],
    decode: (wire) => ({
      key: wire.text(),
      account: wire.number(),
      remaining: wire.amount(),
      used: wire.amount(),
      ...setIfPresent('unlimited', asBoolean(wire.optionalNumber())),
      ...setIfPresent('note', wire.optionalText()),
    }),
  },
  allot: {
    encode: (input) => [
      input.userAccount,
      input.tokenAccount ?? null,
      wireAmount(input.amount),
      wireAmount(input.ceiling),
      input.limits ? encodeLimits(input.limits) : null,
      encodeOverdraft(input.overdraft),
      wireAmount(input.wanted),
      input.parts,
      input.reports.map(encodeReport),
      input.instanceId,
    ],
    decode: (wire) => ({
      userAccount: wire.number(),
      tokenAccount: wire.optionalNumber(),
      amount: wire.amount(),
      ceiling: wire.amount(),
      limits: decodeLimits(wire.optionalReader()),
      overdraft: decodeOverdraft(wire.optionalReader()),
      wanted: wire.amount(),
      parts: wire.number(),
      reports: wire.readers().map(decodeReport),
      instanceId: wire.text(),
    }),
  },
  giveBack: {
    encode: (input) => [input.reports.map(encodeReport), input.instanceId],
    decode: (wire) => ({ reports: wire.readers().map(decodeReport), instanceId: wire.text() }),
  },
  recall: {
    encode: ({ accounts }) => [accounts],
    decode: (wire) => ({ accounts: wire.list().map(Number) }),
  },
}

export function encodeCommand(command: Command, texts: WireTexts): WireValue {
  invariant(isSent(command), 'a command is sent only if it needs nothing from beside the database')
  return [command.type, ...encodeInput(command, texts)]
}

export function decodeCommand(wire: WireReader): Command {
  const type = asCommandType(wire.text())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the codec of a type decodes the input of that type
  return { type, input: codecs[type].decode(wire) } as Command
}

function isSent(command: Command): command is SentCommand {
  return Object.hasOwn(codecs, command.type)
}

function encodeInput<T extends SentType>(
  command: { readonly type: T; readonly input: InputOf<T> },
  texts: WireTexts,
): readonly WireValue[] {
  return codecs[command.type].encode(command.input, texts)
}

function asCommandType(text: string): SentType {
  if (isCommandType(text)) return text
  throw new TypeError(`${text} is no command of the ledger`)
}

function isCommandType(text: string): text is SentType {
  return Object.hasOwn(codecs, text)
}

/** Safe cast: only valid flags are encoded. */
function asFlags(values: readonly WireValue[]): readonly SettleFlag[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return values as readonly SettleFlag[]
}

function asBoolean(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1
}

function toldLog(wire: WireReader | undefined): { log?: ReturnType<typeof decodeLog> } {
  return wire ? { log: decodeLog(wire) } : {}
}

/** Safe cast: a task has only strings and numbers, which JSON preserves. */
function asTask(text: string | undefined): NewTask | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the encoder of the same place wrote it
  return text === undefined ? undefined : (JSON.parse(text) as NewTask)
}

function asTaskEnd(text: string | undefined): TaskEnd | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return text === undefined ? undefined : (JSON.parse(text) as TaskEnd)
}

function asNotice(text: string | undefined): NewWork | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return text === undefined ? undefined : (JSON.parse(text) as NewWork)
}

function asSpacing(text: string | undefined): CreditSpacing | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the encoder above wrote it
  return text === undefined ? undefined : (JSON.parse(text) as CreditSpacing)
}
