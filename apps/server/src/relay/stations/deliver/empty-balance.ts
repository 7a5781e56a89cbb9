import type { ProblemForm } from '@tollgate/dialects/errors/render-error'
import type { Problem, ProblemCode } from '@tollgate/problems/problem'
import type { Call } from '../../call.ts'

/** Codes for an empty balance; the same call fails again until the user tops up. */
const codes: ReadonlySet<ProblemCode> = new Set([
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'token_exhausted',
])

export function isEmptyBalance({ code }: Problem): boolean {
  return codes.has(code)
}

/**
 * How an empty balance is reported, so that agents stop instead of retrying or asking for another key.
 * Anthropic clients understand 402 and take 403 for a wrong key. Codex retries after both, and stops only at
 * the error that OpenAI itself sends.
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

/** User agents such as `codex_exec/0.169.0 (…)`, `codex_cli_rs/…`, `codex-tui/…`. */
function isCodex(userAgent = ''): boolean {
  return /^codex[_-]/i.test(userAgent)
}
