/**
 * Who caused a problem. It decides what is logged, what is retried and whether a channel is marked as
 * failing.
 */
export type Fault = 'caller' | 'operator' | 'upstream' | 'network' | 'gateway'

export type Language = 'en' | 'zh'

/** Text that is safe to show to the caller; `{name}` is replaced with the parameter of that name. */
export type ProblemText = Readonly<Record<Language, string>>

export interface ProblemDefinition {
  /** HTTP status on a relay route. Admin routes answer 200 with `success:false` unless `adminStatus` says otherwise. */
  readonly status: number
  readonly adminStatus?: number
  readonly fault: Fault
  readonly text: ProblemText
}

export const callerFault = definitionFor('caller')
export const operatorFault = definitionFor('operator')
export const upstreamFault = definitionFor('upstream')
export const networkFault = definitionFor('network')
export const gatewayFault = definitionFor('gateway')

/** A problem that admin routes answer with its status too. */
export function onEveryRoute(fault: Fault, status: number, text: ProblemText): ProblemDefinition {
  return { status, adminStatus: status, fault, text }
}

function definitionFor(fault: Fault) {
  return (status: number, text: ProblemText): ProblemDefinition => ({ status, fault, text })
}
