import { defineMessages } from '../../../shared/i18n/messages.ts'

export const defaultPasswordMessages = defineMessages('default-password', {
  en: {
    title: 'Choose your own password first',
    text: 'You signed in with the default password of this software. Anybody can sign in with it until you change it.',
    password: 'New password',
    again: 'New password again',
    submit: 'Change the password',
    logOut: 'Log out',
    done: 'Password changed',
  },
  zh: {
    title: '请先修改默认密码',
    text: '您正在使用默认密码，任何人都可以用它登录。请立刻设置一个新密码。',
    password: '新密码',
    again: '确认新密码',
    submit: '修改密码',
    logOut: '退出登录',
    done: '密码修改成功',
  },
})
