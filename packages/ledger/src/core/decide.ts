import type { Command, CommandType, CommandContext, Decision, InputOf } from './command.ts'
import { allot, giveBack, reclaim } from './allotments.ts'
import { checkpoint, extend, release, reserve } from './holds.ts'
import { adjust, credit, refund, transfer } from './grants.ts'
import { BatchState } from './batch-state.ts'
import { fold } from './fold.ts'
import { open } from './opening.ts'
import { recall } from './scarcity.ts'
import { recover, settle } from './settlements.ts'
import type { Changes, LedgerSource } from './state.ts'

export interface DecidedBatch {
  readonly decisions: readonly Decision[]
  readonly changes: Changes
}

export type Decide<T extends CommandType> = (
  draft: BatchState,
  input: InputOf<T>,
  circumstances: CommandContext,
) => Decision<T>

const deciders: { readonly [T in CommandType]: Decide<T> } = {
  reserve,
  extend,
  checkpoint,
  settle,
  release,
  recover,
  credit,
  adjust,
  refund,
  transfer,
  open,
  allot,
  giveBack,
  recall,
  fold,
  reclaim,
}

/**
 * Decides commands in order of arrival. Synchronous and without side effects: the caller writes all changes
 * in one transaction and replies only after the commit. A command that throws is a bug; the whole batch must
 * then be discarded.
 */
export function decideBatch(
  source: LedgerSource,
  commands: readonly Command[],
  circumstances: CommandContext,
): DecidedBatch {
  const draft = new BatchState(source)
  const decisions = commands.map((command) => decide(draft, command, circumstances))
  return { decisions, changes: draft.changes() }
}

function decide<T extends CommandType>(
  draft: BatchState,
  command: { readonly type: T; readonly input: InputOf<T> },
  circumstances: CommandContext,
): Decision {
  return deciders[command.type](draft, command.input, circumstances)
}
