import type { MemberSource } from '../members/member-row.ts'

/** How a vendor says that it cannot read a signature or encrypted reasoning of a request. */
export interface SealRefusal {
  /** The code of the error; it needs no message. */
  readonly code?: string
  /** Matches the beginning of the message, which holds no text of the caller up to there. */
  readonly message?: RegExp
  readonly source: MemberSource
}

export const sealRefusals: readonly SealRefusal[] = [
  {
    message:
      /^messages\.\d{1,6}\.content\.\d{1,6}: Invalid `(?:signature|data)` in `(?:redacted_)?thinking` block/,
    source: { url: 'https://github.com/anomalyco/opencode/issues/48637', date: '2026-09-12' },
  },
  {
    message:
      /^messages\.\d{1,6}\.content\.\d{1,6}\.(?:redacted_)?thinking\.(?:signature|data): (?:Field required|Input should be a valid string)/,
    source: { url: 'https://github.com/Wei-Shaw/sub2api/issues/2320', date: '2026-05-10' },
  },
  {
    message:
      /^messages\.\d{1,6}\.content\.\d{1,6}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified/,
    source: { url: 'https://github.com/anthropics/claude-code/issues/63284', date: '2026-05-28' },
  },
  // Bedrock names the operation before the message of the model, and hides the place.
  {
    message: /^(?:\*{3}\.\*{3}|messages\.\d{1,6})\.content\.\d{1,6}: Invalid `signature` in `thinking` block/,
    source: { url: 'https://github.com/anomalyco/opencode/issues/15074', date: '2026-02-25' },
  },
  {
    code: 'invalid_encrypted_content',
    source: { url: 'https://github.com/openai/codex/issues/8145', date: '2025-12-16' },
  },
  {
    message: /^The encrypted content (?:for item )?[\w.=*-]{1,80} could not be verified/,
    source: { url: 'https://github.com/openai/codex/issues/35334', date: '2026-07-25' },
  },
  {
    message: /^(?:Unable to submit request because )?Thought signature is not valid/,
    source: { url: 'https://github.com/decolua/9router/issues/301', date: '2026-03-13' },
  },
  {
    message: /^Corrupted thought signature/,
    source: { url: 'https://github.com/heyhuynhgiabuu/proxypal/issues/119', date: '2026-01-13' },
  },
]

/** Whether an error says that a seal of the request was refused. */
export function isSealRefusal({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): boolean {
  return sealRefusals.some((row) =>
    row.code === undefined ? row.message?.test(message) === true : row.code === code,
  )
}
