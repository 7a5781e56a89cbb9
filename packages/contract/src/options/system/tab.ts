import type { SettingTab } from '../section.ts'
import { generalSection } from './general.ts'
import { workerSection } from './worker.ts'
import { paymentSection } from './payment.ts'
import { loginSection } from './login.ts'
import { domainsSection } from './domains.ts'
import { smtpSection } from './smtp.ts'
import { oidcSection } from './oidc.ts'
import { githubSection } from './github.ts'
import { linuxdoSection } from './linuxdo.ts'
import { wechatSection } from './wechat.ts'
import { telegramSection } from './telegram.ts'
import { turnstileSection } from './turnstile.ts'
import { backupSection } from './backup.ts'
import { logSinksSection } from './log-sinks.ts'

/** Addresses, payment, email, and all sign-in methods. */
export const systemTab = {
  key: 'system',
  title: { en: 'System', zh: '系统' },
  sections: [
    generalSection,
    workerSection,
    paymentSection,
    loginSection,
    domainsSection,
    smtpSection,
    backupSection,
    logSinksSection,
    oidcSection,
    githubSection,
    linuxdoSection,
    wechatSection,
    telegramSection,
    turnstileSection,
  ],
} as const satisfies SettingTab
