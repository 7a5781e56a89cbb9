import type { Problem } from '@tollgate/problems/problem'
import type { TaskReply } from '@tollgate/providers/tasks/platform'

/**
 * Result of one attempt on one channel. `unsent`: nothing reached the upstream. `unknown`: the upstream may
 * or may not have begun the work.
 */
export type Sent =
  | {
      readonly type: 'reply'
      readonly reply: TaskReply
      readonly status: number
      /** How long the upstream asks to wait. */
      readonly retryAfterMs: number | undefined
    }
  | { readonly type: 'unsent'; readonly problem: Problem }
  | { readonly type: 'unknown'; readonly detail: string }
