import { defineFeatureMessages } from '../../../shared/i18n/feature-messages.ts'
import { defineTexts } from '../../../shared/i18n/messages.ts'
import { notifyTexts } from './notify.ts'
import { profileTexts } from './profile.ts'
import { signInTexts } from './sign-in.ts'

const pageTexts = defineTexts({
  en: {
    title: 'My account',
    purpose: 'Your profile, your ways to sign in, and your notifications.',
  },
  zh: {
    title: '个人设置',
    purpose: '您的身份、登录方式与通知。',
  },
})

export const personalMessages = defineFeatureMessages('personal', {
  en: { ...pageTexts.en, ...notifyTexts.en, ...profileTexts.en, ...signInTexts.en },
  zh: { ...pageTexts.zh, ...notifyTexts.zh, ...profileTexts.zh, ...signInTexts.zh },
})
