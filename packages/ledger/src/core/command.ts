import type {
  AdjustInput,
  AllotInput,
  CheckpointInput,
  CreditInput,
  ExtendInput,
  FoldInput,
  GiveBackInput,
  OpenInput,
  RecallInput,
  ReclaimInput,
  RefundInput,
  ReleaseInput,
  ReserveInput,
  SettleInput,
  TransferInput,
} from '../inputs.ts'
import type {
  AdjustResult,
  AllotResult,
  CreditResult,
  ExtendResult,
  FoldResult,
  OpenResult,
  RecallResult,
  RefundResult,
  ReserveResult,
  ReturnResult,
  SettleResult,
  TransferResult,
} from '../results.ts'

/** An operation queued for the store. */
export type Command =
  | { readonly type: 'reserve'; readonly input: ReserveInput }
  | { readonly type: 'extend'; readonly input: ExtendInput }
  | { readonly type: 'checkpoint'; readonly input: CheckpointInput }
  | { readonly type: 'settle'; readonly input: SettleInput }
  | { readonly type: 'release'; readonly input: ReleaseInput }
  | { readonly type: 'recover'; readonly input: RecoverInput }
  | { readonly type: 'credit'; readonly input: CreditInput }
  | { readonly type: 'adjust'; readonly input: AdjustInput }
  | { readonly type: 'refund'; readonly input: RefundInput }
  | { readonly type: 'transfer'; readonly input: TransferInput }
  | { readonly type: 'open'; readonly input: OpenInput }
  | { readonly type: 'allot'; readonly input: AllotInput }
  | { readonly type: 'giveBack'; readonly input: GiveBackInput }
  | { readonly type: 'recall'; readonly input: RecallInput }
  | { readonly type: 'fold'; readonly input: FoldInput }
  | { readonly type: 'reclaim'; readonly input: ReclaimInput }

export type CommandType = Command['type']
export type InputOf<T extends CommandType> = Extract<Command, { type: T }>['input']

/** Ends the hold of a dead instance. The charge is min(checkpoint, hold). */
export interface RecoverInput {
  readonly holdId: string
}

/**
 * Result of each command once it is decided. Refusals because the queue is full or the store is down come
 * from the writer instead.
 */
export interface OutcomeOf {
  reserve: Extract<ReserveResult, { type: 'reserved' | 'refused' | 'crowded' }>
  extend: ExtendResult
  checkpoint: DoneResult
  settle: SettleResult
  release: DoneResult
  recover: SettleResult
  credit: CreditResult
  adjust: AdjustResult
  refund: RefundResult
  transfer: TransferResult
  open: OpenResult
  allot: AllotResult
  giveBack: ReturnResult
  recall: RecallResult
  fold: FoldResult
  reclaim: DoneResult
}
export type Outcome = OutcomeOf[CommandType]

/** Why a call is not admitted. */
export type Refusal = Exclude<OutcomeOf['reserve'], { type: 'reserved' }>

export interface DoneResult {
  readonly type: 'done'
}

/** An event for the operator to look at. The operation itself was decided nevertheless. */
export interface Alarm {
  readonly type:
    | 'charge_waived'
    | 'key_conflict'
    | 'late_settlement'
    | 'operation_failed'
    | 'store_failed'
    /** A database server that was down answers again. */
    | 'store_returned'
    | 'audit_finding'
    /** A process counted other quota of an account than was set aside for it. */
    | 'allotment_mended'
  readonly detail: string
}

export interface Decision<T extends CommandType = CommandType> {
  readonly outcome: OutcomeOf[T]
  readonly alarm?: Alarm
}

export interface CommandContext {
  readonly nowMs: number
  readonly instanceId: string
}
