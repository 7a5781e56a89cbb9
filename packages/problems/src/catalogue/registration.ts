import { callerFault, onEveryRoute } from '../definition.ts'

/** Problems of the first setup, sign-in with a password, and registration. */
export const registrationProblems = {
  setup_already_done: onEveryRoute('caller', 400, {
    en: 'The setup is already done',
    zh: '系统已经初始化完成',
  }),
  setup_token_wrong: onEveryRoute('caller', 403, {
    en: 'Enter the setup token: the gateway prints it in its log when it starts. On the machine itself http://localhost works without it',
    zh: '请输入初始化令牌：网关启动时会将其写入日志。在本机通过 http://localhost 访问时无需令牌',
  }),
  setup_username_invalid: onEveryRoute('caller', 400, {
    en: 'The username needs 1 to {max} characters, without spaces and without @',
    zh: '用户名长度为 1 到 {max} 个字符，且不能包含空白和 @',
  }),
  setup_passwords_differ: onEveryRoute('caller', 400, {
    en: 'The two passwords differ',
    zh: '两次输入的密码不一致',
  }),
  setup_password_invalid: onEveryRoute('caller', 400, {
    en: 'The password needs {min} to {max} characters',
    zh: '密码长度为 {min} 到 {max} 个字符',
  }),
  password_login_closed: callerFault(403, {
    en: 'Sign-in with a password is switched off',
    zh: '管理员关闭了密码登录',
  }),
  credentials_missing: callerFault(400, { en: 'Enter username and password', zh: '用户名或密码为空' }),
  credentials_refused: callerFault(401, {
    en: 'Username or password is wrong, or the user is disabled',
    zh: '用户名或密码错误，或用户已被封禁',
  }),
  registration_closed: callerFault(403, { en: 'Registration is closed', zh: '管理员关闭了新用户注册' }),
  password_registration_closed: callerFault(403, {
    en: 'Registration with a password is closed; use a third-party account',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  }),
  verification_code_wrong: callerFault(400, {
    en: 'The verification code is wrong or has expired',
    zh: '验证码错误或已过期',
  }),
  username_invalid: callerFault(400, {
    en: 'The username needs 1 to {max} characters, without spaces and without @',
    zh: '用户名长度为 1 到 {max} 个字符，且不能包含空白和 @',
  }),
  username_taken: callerFault(409, { en: 'This username is taken', zh: '用户名已存在，或已注销' }),
  display_name_invalid: callerFault(400, {
    en: 'The display name has at most {max} characters',
    zh: '显示名称最多 {max} 个字符',
  }),
  password_invalid: callerFault(400, {
    en: 'The password needs {min} to {max} characters',
    zh: '密码长度为 {min} 到 {max} 个字符',
  }),
  passwords_differ: callerFault(400, { en: 'The two passwords differ', zh: '两次输入的密码不一致' }),
  original_password_wrong: callerFault(403, {
    en: 'The current password is missing or wrong',
    zh: '原密码缺失或错误',
  }),
}
