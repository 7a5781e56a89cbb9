import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const loginMessages = defineFeatureMessages('login', {
  en: {
    title: 'Log in to {{site}}',
    purpose: 'To manage your tokens and see what your calls cost.',
    username: 'Username or e-mail',
    expired: 'Not logged in, or the login has expired. Please log in again.',
    deleted: 'Your account has been deleted.',
    missing: 'Please enter username and password.',
    closed: 'The administrator has turned off password login.',
    forgotten: 'Forgot your password?',
    noAccount: 'No account yet?',
  },
  zh: {
    title: '登录 {{site}}',
    purpose: '管理您的令牌，查看每次调用的费用。',
    username: '用户名或邮箱',
    expired: '未登录或登录已过期，请重新登录',
    deleted: '账户已删除',
    missing: '请输入用户名和密码',
    closed: '管理员已关闭密码登录。',
    forgotten: '忘记密码？',
    noAccount: '没有账户？',
  },
})
