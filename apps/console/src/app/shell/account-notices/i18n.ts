import { defineMessages } from '../../../shared/i18n/messages.ts'

export const accountNoticeMessages = defineMessages('accountNotices', {
  en: {
    title: 'Your account was changed',
    'event.email_bound': 'The e-mail address {{email}} was added.',
    'event.email_changed': 'The e-mail address was changed to {{email}}.',
    'event.email_removed': 'The e-mail address was removed.',
    'event.email_restored':
      'The e-mail address {{email}} was restored; everybody was signed out. Choose a new password if you have not done so yet, and check the ways to sign in.',
    'event.password_changed': 'The password was changed.',
    'event.password_changed.administrator': 'An administrator changed the password.',
    'event.password_changed.mailed-link': 'The password was changed by a mailed link.',
    'event.access_token_made': 'A new access token was made.',
    'event.sign_in_bound': '{{provider}} was bound as a way to sign in.',
    'event.sign_in_unbound': '{{provider}} was unbound.',
    from: 'from {{address}}',
    look: 'Look at my account',
    dismiss: 'It was me',
  },
  zh: {
    title: '您的账户有变更',
    'event.email_bound': '已绑定邮箱 {{email}}。',
    'event.email_changed': '邮箱已更改为 {{email}}。',
    'event.email_removed': '邮箱已解绑。',
    'event.email_restored':
      '邮箱已恢复为 {{email}}，所有登录均已退出。如尚未修改密码，请立即修改，并检查登录方式。',
    'event.password_changed': '密码已修改。',
    'event.password_changed.administrator': '管理员修改了您的密码。',
    'event.password_changed.mailed-link': '已通过邮件链接修改密码。',
    'event.access_token_made': '已生成新的访问令牌。',
    'event.sign_in_bound': '已绑定 {{provider}} 作为登录方式。',
    'event.sign_in_unbound': '{{provider}} 已解绑。',
    from: '来源 {{address}}',
    look: '查看我的账户',
    dismiss: '是我本人操作',
  },
})
