import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const undoEmailMessages = defineFeatureMessages('undoEmail', {
  en: {
    title: 'Restore your e-mail address',
    purpose: 'Somebody changed the e-mail address of your account. If it was not you, restore it here.',
    consequence:
      'The address that the link was mailed to becomes the address of the account again. Everybody is signed out, and the access token ends.',
    submit: 'Restore the address',
    'done.title': 'The address is restored',
    'done.purpose': '{{email}} is the address of your account again. Everybody was signed out.',
    'done.next':
      'Choose a new password now: whoever changed the address may know the old one. Then check the ways to sign in on your account page.',
    noLink: 'This link is incomplete. Open it from the mail again.',
    refused:
      'A link works once, for 24 hours. If the address is still not yours, contact the administrator of this site.',
    taken: 'Another account uses the address now. Contact the administrator of this site.',
  },
  zh: {
    title: '恢复您的邮箱',
    purpose: '您账户的邮箱被更改。如果不是您本人操作，可在此恢复。',
    consequence: '账户的邮箱将恢复为收到此链接的地址，所有登录会话和访问令牌都会失效。',
    submit: '恢复邮箱',
    'done.title': '邮箱已恢复',
    'done.purpose': '您账户的邮箱已恢复为 {{email}}，所有登录均已退出。',
    'done.next': '请立即设置新密码：更改邮箱的人可能知道旧密码。登录后请在个人设置中检查登录方式。',
    noLink: '链接不完整，请从邮件中重新打开。',
    refused: '链接 24 小时内有效，且只能使用一次。如果邮箱仍未恢复，请联系本站管理员。',
    taken: '该邮箱已被其他账户使用，请联系本站管理员。',
  },
})
