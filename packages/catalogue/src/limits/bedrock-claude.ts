import type { MemberSource } from '../members/member-row.ts'

/** What Claude at Bedrock takes beside the members of the first version of Messages. */
export interface ClaudeAtBedrock {
  readonly betas: ReadonlySet<string>
  /** Members at the top that need a beta, and the beta. */
  readonly membersOfBetas: Readonly<Record<string, string>>
  /** Members of tools that are refused as extra inputs. */
  readonly refusedOfTools: readonly string[]
  readonly source: MemberSource
}

export const claudeAtBedrock: ClaudeAtBedrock = {
  betas: new Set([
    'computer-use-2024-10-22',
    'computer-use-2025-01-24',
    'context-1m-2025-08-07',
    'context-management-2025-06-27',
    'fine-grained-tool-streaming-2025-05-14',
    'interleaved-thinking-2025-05-14',
    'output-128k-2025-02-19',
    'token-efficient-tools-2025-02-19',
  ]),
  membersOfBetas: { context_management: 'context-management-2025-06-27' },
  refusedOfTools: ['eager_input_streaming', 'defer_loading', 'input_examples', 'strict'],
  source: {
    url: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
    date: '2026-11-29',
  },
}
