import { secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const githubSection = section({
  key: 'github',
  title: { en: 'GitHub', zh: '配置 GitHub OAuth' },
  purpose: { en: 'Sign-in with a GitHub account.', zh: '通过 GitHub 账户登录。' },
  callbackPath: '/oauth/github',
  // A person who controls the sign-in provider can sign in as every user bound to it.
  isGuarded: true,
  settings: {
    GitHubOAuthEnabled: toggle(false, {
      label: { en: 'GitHub sign-in', zh: '允许通过 GitHub 登录' },
      help: { en: 'Shows the GitHub button at sign-in.', zh: '在登录页显示 GitHub 按钮。' },
      needs: ['GitHubClientId', 'GitHubClientSecret'],
    }),
    GitHubClientId: text('', 200, {
      label: { en: 'Client ID', zh: 'GitHub Client ID' },
      help: {
        en: 'The ID of the OAuth app that you registered at GitHub.',
        zh: '您在 GitHub 注册的 OAuth 应用的 ID。',
      },
    }),
    GitHubClientSecret: secret({
      label: { en: 'Client secret', zh: 'GitHub Client Secret' },
      help: {
        en: 'The secret of the same OAuth app. GitHub shows it only once.',
        zh: '同一 OAuth 应用的密钥，GitHub 只显示一次。',
      },
    }),
  },
})
