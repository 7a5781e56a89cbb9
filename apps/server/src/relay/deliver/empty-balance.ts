import type { ProblemForm } from '@tollgate/dialects/openai/error'
import type { Problem, ProblemCode } from '@tollgate/kit/problem'
import type { Call } from '../call.ts'

/** Nothing is left to pay with; the same call fails again until somebody tops up. */
const codes: ReadonlySet<ProblemCode> = new Set([
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'token_exhausted',
])

export function isEmptyBalance({ code }: Problem): boolean {
  return codes.has(code)
}

/**
 * How an empty balance is answered, so that agents stop instead of trying again or asking for another key: clients of Messages
 * know 402 for it and take 403 for a wrong key. Codex tries again after both, and stops at what OpenAI itself answers.
 */
export function emptyBalanceForm(
  { request, dialect }: Pick<Call, 'request' | 'dialect'>,
  problem: Problem,
): { readonly status?: number; readonly form?: ProblemForm } {
  if (!isEmptyBalance(problem)) return {}
  if (dialect.name === 'anthropic') return { status: 402 }
  if (dialect.name !== 'responses' || !isCodex(request.headers['user-agent'])) return {}
  return { status: 429, form: { type: 'insufficient_quota', code: 'insufficient_quota' } }
}

/** `codex_exec/0.169.0 (…)`, `codex_cli_rs/…`, `codex-tui/…`. */
function isCodex(userAgent = ''): boolean {
  return /^codex[_-]/i.test(userAgent)
}
