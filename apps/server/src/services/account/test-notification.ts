import type { accountRoutes } from '@tollgate/contract/account'
import { randomToken } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/problems/problem'
import { findUser } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import { requireMail } from '../mail/rules.ts'
import { type UserNotice, notifyUser } from '../notify/notify-user.ts'
import type { AccountServices } from './services.ts'
import { readSetting } from './setting-text.ts'

/** Sent like a real notification; the user checks whether it arrives. */
export function sendTestNotification(
  services: AccountServices,
): Handler<typeof accountRoutes.testNotification> {
  return async ({ actor }) => {
    const user = await findUser(services.store, actor.id)
    if (readSetting(user?.setting ?? '').notify_type === 'email') requireMail(services)
    const cause = `test-notice:${actor.id}:${randomToken(8)}`
    const outcome = await notifyUser(services, { userId: actor.id, cause, message: testMessage })
    if (outcome === 'nowhere') throw problem('notification_address_missing')
    return null
  }
}

function testMessage(language: Language): UserNotice {
  const words =
    language === 'zh'
      ? { title: '通知测试', content: '这是一条测试通知，您的通知设置可用。' }
      : { title: 'test notification', content: 'This is a test: your notification settings work.' }
  return { type: 'test', ...words, values: [], link: '' }
}
