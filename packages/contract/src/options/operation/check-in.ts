import { quota, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const checkInSection = section({
  key: 'check-in',
  title: { en: 'Check-in', zh: '签到设置' },
  purpose: { en: 'A small reward every day.', zh: '每日签到奖励。' },
  settings: {
    CheckInEnabled: toggle(false, {
      label: { en: 'Daily check-in', zh: '启用每日签到' },
      help: {
        en: 'A button on the personal page gives each user a small reward once a day.',
        zh: '个人设置页显示签到按钮，用户每天可领取一次奖励。',
      },
    }),
    CheckInQuota: quota(1000, {
      label: { en: 'Check-in reward', zh: '签到奖励额度' },
      help: {
        en: 'What a check-in gives; at least this when there is a largest reward too. With 0 nobody can check in.',
        zh: '每次签到获得的额度；设置了最大奖励时为最低值。0 表示无法签到。',
      },
    }),
    CheckInMaxQuota: quota(0, {
      label: { en: 'Largest check-in reward', zh: '签到最大奖励额度' },
      help: {
        en: 'Above the check-in reward, each check-in gives a random amount between the two.',
        zh: '高于签到奖励额度时，每次签到随机获得两者之间的额度。',
      },
    }),
  },
})
