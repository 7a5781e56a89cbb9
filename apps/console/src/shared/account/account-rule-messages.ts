import { defineMessages } from '../i18n/messages.ts'

export const accountRuleMessages = defineMessages('accountRules', {
  en: {
    usernameMissing: 'Please enter a username.',
    usernameForm: 'Up to {{max}} characters, without spaces and @.',
    passwordMissing: 'Please enter a password.',
    passwordShort: 'The password must be at least {{min}} characters long.',
    passwordLong: 'The password must be at most {{max}} characters long.',
    passwordsDiffer: 'The two passwords entered do not match.',
    emailMissing: 'Please enter an e-mail address.',
    emailForm: 'This is not an e-mail address.',
    codeMissing: 'Please enter the verification code.',
  },
  zh: {
    usernameMissing: '请输入用户名',
    usernameForm: '最多 {{max}} 个字符，不含空格和 @',
    passwordMissing: '请输入密码',
    passwordShort: '密码长度不得小于 {{min}} 位！',
    passwordLong: '密码长度不得大于 {{max}} 位！',
    passwordsDiffer: '两次输入的密码不一致',
    emailMissing: '请输入邮箱地址',
    emailForm: '请输入有效的邮箱地址',
    codeMissing: '请输入验证码',
  },
})
