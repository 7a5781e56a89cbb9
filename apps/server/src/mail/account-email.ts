import { formatLocalMinute } from '@tollgate/kit/local-day'
import { type AccountEvent, type ChangeAuthor, EMAIL_UNDO_HOURS } from '@tollgate/contract/account-safety'
import type { Language } from '@tollgate/problems/problem'
import { type Email, type Paragraph, renderEmail } from './email.ts'
import { FOOTERS } from './templates.ts'

/** A change of an account that its owner is notified of. */
export interface TellableChange {
  readonly event: AccountEvent
  readonly by: ChangeAuthor
  readonly provider: string
  readonly email: string
  readonly address: string
  readonly atMs: number
  readonly username: string
  readonly language: Language
  /** Token that restores the email address this message goes to; "" when there is nothing to restore. */
  readonly undoToken: string
}

interface Site {
  readonly siteName: string
  /** Public address of the site; while it is "", emails contain no link. */
  readonly siteAddress: string
}

/** Says what happened, when and from which network address, and what to do if it was somebody else. */
export function writeAccountEmail(change: TellableChange, { siteName, siteAddress }: Site): Email {
  const { language } = change
  const words = WORDS[language]
  const paragraphs: Paragraph[] = [
    words.what[change.event](change),
    words.when({ time: formatLocalMinute(change.atMs), address: change.address }),
    ...remedy(change, siteAddress),
  ]
  const title = words.titles[change.event]
  return renderEmail({ title, paragraphs }, { siteName, language, footer: FOOTERS[language](siteName) })
}

function remedy({ language, undoToken }: TellableChange, siteAddress: string): readonly Paragraph[] {
  const words = WORDS[language]
  if (siteAddress === '') return [words.tellOperator]
  if (undoToken === '') return [words.resetPassword, { link: `${siteAddress}/reset` }]
  const query = new URLSearchParams({ token: undoToken }).toString()
  return [words.undo(EMAIL_UNDO_HOURS), { link: `${siteAddress}/user/undo-email?${query}` }]
}

interface LetterWords {
  readonly titles: Readonly<Record<AccountEvent, string>>
  readonly what: Readonly<Record<AccountEvent, (change: TellableChange) => string>>
  readonly when: (facts: { readonly time: string; readonly address: string }) => string
  readonly undo: (hours: number) => string
  readonly resetPassword: string
  readonly tellOperator: string
}

const en: LetterWords = {
  titles: {
    email_bound: 'e-mail address added',
    email_changed: 'e-mail address changed',
    email_removed: 'e-mail address removed',
    email_restored: 'e-mail address restored',
    password_changed: 'password changed',
    access_token_made: 'new access token',
    sign_in_bound: 'new way to sign in',
    sign_in_unbound: 'a way to sign in was removed',
  },
  what: {
    email_bound: ({ username, email }) => `The address ${email} was added to your account ${username}.`,
    email_changed: ({ username, email }) =>
      `The e-mail address of your account ${username} was changed to ${email}.`,
    email_removed: ({ username }) => `This e-mail address was removed from your account ${username}.`,
    email_restored: ({ username, email }) =>
      `The e-mail address of your account ${username} is ${email} again. Every session and the access token have ended.`,
    password_changed: ({ username, by }) =>
      `${
        by === 'administrator'
          ? `An administrator changed the password of your account ${username}.`
          : `The password of your account ${username} was changed${by === 'mailed-link' ? ' by the link that was mailed to you' : ''}.`
      } Every other session and the access token have ended.`,
    access_token_made: ({ username }) =>
      `A new access token was made for your account ${username}. Programs that have it can use the API as you.`,
    sign_in_bound: ({ username, provider }) =>
      `${provider} was bound to your account ${username}: it can be used to sign in now.`,
    sign_in_unbound: ({ username, provider }) => `${provider} was unbound from your account ${username}.`,
  },
  when: ({ time, address }) =>
    address === ''
      ? `This was done on ${time}.`
      : `This was done on ${time} from the network address ${address}.`,
  undo: (hours) =>
    `If it was you, nothing needs to be done. If not, open this page within ${hours} hours: it restores this address, signs everybody out and ends the access token.`,
  resetPassword:
    'If it was you, nothing needs to be done. If not, choose a new password now, which signs everybody out and ends the access token; then check the ways to sign in on your personal page.',
  tellOperator:
    'If it was you, nothing needs to be done. If not, tell the administrator of the site at once.',
}

const zh: LetterWords = {
  titles: {
    email_bound: '已绑定邮箱',
    email_changed: '邮箱已更改',
    email_removed: '邮箱已解绑',
    email_restored: '邮箱已恢复',
    password_changed: '密码已修改',
    access_token_made: '已生成新的访问令牌',
    sign_in_bound: '新增登录方式',
    sign_in_unbound: '登录方式已解绑',
  },
  what: {
    email_bound: ({ username, email }) => `您的账户 ${username} 已绑定邮箱 ${email}。`,
    email_changed: ({ username, email }) => `您的账户 ${username} 的邮箱已更改为 ${email}。`,
    email_removed: ({ username }) => `此邮箱已从您的账户 ${username} 解绑。`,
    email_restored: ({ username, email }) =>
      `您的账户 ${username} 的邮箱已恢复为 ${email}，所有登录会话和访问令牌均已失效。`,
    password_changed: ({ username, by }) =>
      `${
        by === 'administrator'
          ? `管理员修改了您的账户 ${username} 的密码`
          : `您的账户 ${username} 的密码已${by === 'mailed-link' ? '通过邮件中的链接' : ''}修改`
      }，其他登录会话和访问令牌均已失效。`,
    access_token_made: ({ username }) =>
      `您的账户 ${username} 生成了新的访问令牌，持有该令牌的程序可以您的身份调用接口。`,
    sign_in_bound: ({ username, provider }) => `您的账户 ${username} 已绑定 ${provider}，现在可以用它登录。`,
    sign_in_unbound: ({ username, provider }) => `您的账户 ${username} 已解绑 ${provider}。`,
  },
  when: ({ time, address }) =>
    address === '' ? `操作时间：${time}。` : `操作时间：${time}，来源 IP：${address}。`,
  undo: (hours) =>
    `如果是您本人操作，无需处理。如果不是，请在 ${hours} 小时内打开以下页面：邮箱将恢复为当前地址，所有登录会话和访问令牌都会失效。`,
  resetPassword:
    '如果是您本人操作，无需处理。如果不是，请立即重置密码（所有登录会话和访问令牌都会失效），并在个人设置中检查登录方式。',
  tellOperator: '如果是您本人操作，无需处理。如果不是，请立即联系本站管理员。',
}

const WORDS: Readonly<Record<Language, LetterWords>> = { en, zh }
