import { defineMessages, defineTexts } from '../../../shared/i18n/messages.ts'
import { notifyTexts } from './notify.ts'
import { profileTexts } from './profile.ts'
import { signInTexts } from './sign-in.ts'

const pageTexts = defineTexts({
  en: {
    title: 'My account',
    purpose: 'Your profile, your ways to sign in, and your notifications.',
    save: 'Save',
    'role.root': 'Super admin',
    'role.admin': 'Admin',
    'role.user': 'User',
  },
  zh: {
    title: '个人设置',
    purpose: '您的身份、登录方式与通知。',
    save: '保存',
    'role.root': '超级管理员',
    'role.admin': '管理员',
    'role.user': '普通用户',
  },
})

export const personalMessages = defineMessages('personal', {
  en: { ...pageTexts.en, ...notifyTexts.en, ...profileTexts.en, ...signInTexts.en },
  zh: { ...pageTexts.zh, ...notifyTexts.zh, ...profileTexts.zh, ...signInTexts.zh },
})
