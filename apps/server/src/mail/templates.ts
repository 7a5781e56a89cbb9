import type { Language } from '@tollgate/problems/problem'
import { type EmailDraft, type Email, renderEmail } from './email.ts'

/** Templates of all emails in both languages. Values are plain text and are escaped in the HTML. */
interface LetterValues {
  verification: { readonly code: string; readonly minutes: number }
  /** Sent to the owner of an address that another person tried to register with. */
  'address-known': { readonly link: string }
  reset: { readonly link: string; readonly minutes: number }
  /** An email with a text of its own, for example that quota runs low; `link` may be "". */
  notice: { readonly title: string; readonly lines: readonly string[]; readonly link: string }
  test: { readonly server: string }
}

type LetterType = keyof LetterValues
export type EmailKind<Type extends LetterType = LetterType> = {
  readonly [One in Type]: { readonly type: One } & LetterValues[One]
}[Type]

type Drafts = {
  readonly [Type in LetterType]: (letter: EmailKind<Type>, siteName: string) => EmailDraft
}

export function writeEmail(
  letter: EmailKind,
  { siteName, language }: { siteName: string; language: Language },
): Email {
  const draft = draftOf(DRAFTS[language], letter, siteName)
  return renderEmail(draft, { siteName, language, footer: FOOTERS[language](siteName) })
}

function draftOf<Type extends LetterType>(
  drafts: Drafts,
  letter: EmailKind<Type>,
  siteName: string,
): EmailDraft {
  return drafts[letter.type](letter, siteName)
}

const noticeDraft: Drafts['notice'] = ({ title, lines, link }) => ({
  title,
  paragraphs: [...lines, ...(link === '' ? [] : [{ link }])],
})

const en: Drafts = {
  verification: ({ code, minutes }, siteName) => ({
    title: 'verification code',
    paragraphs: [
      `Your code for ${siteName}:`,
      { code },
      `It is valid for ${minutes} minutes and works once. If you did not ask for it, nothing needs to be done.`,
    ],
  }),
  'address-known': ({ link }, siteName) => ({
    title: 'registration',
    paragraphs: [
      `Somebody, perhaps you, tried to use this address at ${siteName}. It already belongs to an account.`,
      'Sign in with it, or choose a new password there. If it was not you, nothing needs to be done.',
      { link },
    ],
  }),
  reset: ({ link, minutes }, siteName) => ({
    title: 'new password',
    paragraphs: [
      `Open this page to choose a new password for ${siteName}:`,
      { link },
      `The link is valid for ${minutes} minutes and works once. If you did not ask for it, nothing needs to be done.`,
    ],
  }),
  notice: noticeDraft,
  test: ({ server }, siteName) => ({
    title: 'test mail',
    paragraphs: [`The mail settings of ${siteName} work: this was sent through ${server}.`],
  }),
}

const zh: Drafts = {
  verification: ({ code, minutes }, siteName) => ({
    title: '邮箱验证码',
    paragraphs: [
      `您在 ${siteName} 的验证码为：`,
      { code },
      `验证码 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略此邮件。`,
    ],
  }),
  'address-known': ({ link }, siteName) => ({
    title: '注册提示',
    paragraphs: [
      `有人（可能是您）尝试在 ${siteName} 使用此邮箱地址，但该地址已属于一个现有账户。`,
      '您可以直接登录，或在登录页重置密码。如果不是本人操作，请忽略此邮件。',
      { link },
    ],
  }),
  reset: ({ link, minutes }, siteName) => ({
    title: '重置密码',
    paragraphs: [
      `请打开以下页面，为您在 ${siteName} 的账户设置新密码：`,
      { link },
      `链接 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略此邮件。`,
    ],
  }),
  notice: noticeDraft,
  test: ({ server }, siteName) => ({
    title: '测试邮件',
    paragraphs: [`${siteName} 的邮件设置可用，此邮件经由 ${server} 发送。`],
  }),
}

const DRAFTS: Readonly<Record<Language, Drafts>> = { en, zh }

export const FOOTERS: Readonly<Record<Language, (siteName: string) => string>> = {
  en: (siteName) => `This message was sent by ${siteName}; replies are not read.`,
  zh: (siteName) => `此邮件由 ${siteName} 自动发送，请勿回复。`,
}
