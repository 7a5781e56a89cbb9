import type { Language } from '@tollgate/problems/problem'
import { firstRootId } from '@tollgate/store/accounts/users'
import { type UserNotice, type NotifyPorts, notifyUser } from './notify-user.ts'

export interface NotifyRootPorts extends NotifyPorts {
  readonly limit: NoticeLimit
}

/** Limit of messages of one type per time window. */
export interface NoticeLimit {
  readonly count: number
  readonly windowMs: number
}

/**
 * Notifies the first super admin, up to a number of messages per type and window. All processes share the
 * limit.
 */
export async function notifyRoot(
  desk: NotifyRootPorts,
  notice: { readonly type: string; readonly message: (language: Language) => UserNotice },
): Promise<void> {
  const userId = await firstRootId(desk.store)
  if (userId === undefined) return
  const { count, windowMs } = desk.limit
  const window = Math.floor(desk.clock.nowMs() / windowMs)
  for (let place = 0; place < count; place++) {
    const cause = `${notice.type}:${window}:${place}`
    if ((await notifyUser(desk, { userId, cause, message: notice.message })) !== 'known') return
  }
}
