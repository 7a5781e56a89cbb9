/** Problems of sign-in, accounts and settings. */
export const identityProblems = {
  not_signed_in: {
    status: 401,
    adminStatus: 401,
    fault: 'caller',
    text: {
      en: 'Not signed in, and no access token was sent',
      zh: '无权进行此操作，未登录且未提供 access token',
    },
  },
  access_token_invalid: {
    status: 401,
    adminStatus: 401,
    fault: 'caller',
    text: { en: 'The access token is not valid', zh: '无权进行此操作，access token 无效' },
  },
  session_required: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'This route needs a session, not an access token', zh: '暂不支持使用 access token' },
  },
  user_header_missing: {
    status: 401,
    adminStatus: 401,
    fault: 'caller',
    text: {
      en: 'The header Veloera-User (or New-Api-User, Tollgate-User) with your user id is missing',
      zh: '无权进行此操作，未提供 Veloera-User（或 New-Api-User、Tollgate-User）',
    },
  },
  user_header_invalid: {
    status: 401,
    adminStatus: 401,
    fault: 'caller',
    text: {
      en: 'The header Veloera-User (or New-Api-User, Tollgate-User) is not a number',
      zh: '无权进行此操作，Veloera-User（或 New-Api-User、Tollgate-User）格式错误',
    },
  },
  user_header_mismatch: {
    status: 401,
    adminStatus: 401,
    fault: 'caller',
    text: {
      en: 'The header Veloera-User (or New-Api-User, Tollgate-User) is not the user who signed in',
      zh: '无权进行此操作，Veloera-User（或 New-Api-User、Tollgate-User）与登录用户不匹配',
    },
  },
  user_disabled: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: { en: 'This user is disabled', zh: '用户已被封禁' },
  },
  default_password: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: {
      en: 'This is the default password: choose another one first',
      zh: '您正在使用默认密码，请先修改密码',
    },
  },
  role_too_low: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: { en: 'Your role does not permit this', zh: '无权进行此操作，权限不足' },
  },
  cookie_repeated: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: {
      en: 'The browser sent the cookie “{name}” more than once, so another site may have set one. Delete the cookies of this site and of its parent domain, then sign in again',
      zh: '浏览器发送了多个名为“{name}”的 Cookie，其中可能有其他站点设置的。请清除本站及其上级域名的 Cookie 后重新登录',
    },
  },
  cross_site_refused: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: {
      en: 'A change with a session cookie must come from the console: the Origin header is missing or names another site. Scripts use an access token instead',
      zh: '使用会话 Cookie 的操作须来自本站控制台：请求缺少 Origin 或来自其他站点。脚本请改用访问令牌',
    },
  },
  page_host_differs: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: {
      en: 'The page is on {page}, but the gateway was asked as {host}. A proxy in front must pass the Host header on, or be listed in TRUSTED_PROXIES',
      zh: '页面位于 {page}，但网关收到的主机名是 {host}。前置代理须原样传递 Host 请求头，或将其列入 TRUSTED_PROXIES',
    },
  },
  too_many_requests: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: {
      en: 'Too many requests; try again in {seconds} seconds',
      zh: '请求次数过多，请在 {seconds} 秒后再试',
    },
  },
  password_guesses_used_up: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: {
      en: 'Too many wrong passwords for this account today. Sign in from a network that you have used before, or try again in {minutes} minutes',
      zh: '今天该账号的错误密码次数过多，请在以前登录过的网络中登录，或在 {minutes} 分钟后再试',
    },
  },
  password_guesses_used_up_reset: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: {
      en: 'Too many wrong passwords for this account today. Set a new password through “Forgot password”, sign in from a network that you have used before, or try again in {minutes} minutes',
      zh: '今天该账号的错误密码次数过多，请通过“忘记密码”重设密码，或在以前登录过的网络中登录，也可在 {minutes} 分钟后再试',
    },
  },
  body_not_json: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The body is not valid JSON', zh: '无效的参数' },
  },
  body_nested_too_deeply: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'The body is nested too deeply', zh: '请求体嵌套过深' },
  },
  body_exceeds_cap: {
    status: 413,
    adminStatus: 413,
    fault: 'caller',
    text: { en: 'The body is larger than this route accepts', zh: '请求体过大' },
  },
  body_type_unsupported: {
    status: 415,
    adminStatus: 415,
    fault: 'caller',
    text: {
      en: 'Send the body as uncompressed application/json',
      zh: '请使用未压缩的 application/json 请求体',
    },
  },
  input_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Invalid input: {detail}', zh: '无效的参数：{detail}' },
  },
  search_running: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: { en: 'Your last searches are still running; wait for them', zh: '上一次搜索尚未完成，请稍候' },
  },
  search_too_long: {
    status: 503,
    adminStatus: 503,
    fault: 'gateway',
    text: { en: 'The search took too long; narrow it down', zh: '搜索超时，请缩小搜索范围' },
  },
  id_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: '{field}: not an id; an id is a whole number above 0',
      zh: '{field}：不是有效的 ID，ID 为正整数',
    },
  },
  text_has_control_characters: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: '{field}: control characters are not allowed', zh: '{field}：不能包含控制字符' },
  },
  bug_reported: {
    status: 500,
    adminStatus: 500,
    fault: 'gateway',
    text: { en: 'Internal error (error id: {id})', zh: '内部错误（错误编号：{id}）' },
  },
  database_unreachable: {
    status: 503,
    adminStatus: 503,
    fault: 'gateway',
    text: { en: 'The database does not answer', zh: '数据库连接失败' },
  },

  setup_already_done: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'The setup is already done', zh: '系统已经初始化完成' },
  },
  setup_token_wrong: {
    status: 403,
    adminStatus: 403,
    fault: 'caller',
    text: {
      en: 'Enter the setup token: the gateway prints it in its log when it starts. On the machine itself http://localhost works without it',
      zh: '请输入初始化令牌：网关启动时会将其写入日志。在本机通过 http://localhost 访问时无需令牌',
    },
  },
  setup_username_invalid: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: {
      en: 'The username needs 1 to {max} characters, without blanks and without @',
      zh: '用户名长度为 1 到 {max} 个字符，且不能包含空白和 @',
    },
  },
  setup_passwords_differ: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'The two passwords differ', zh: '两次输入的密码不一致' },
  },
  setup_password_invalid: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'The password needs {min} to {max} characters', zh: '密码长度为 {min} 到 {max} 个字符' },
  },

  password_login_closed: {
    status: 403,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Sign-in with a password is switched off', zh: '管理员关闭了密码登录' },
  },
  credentials_missing: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Enter username and password', zh: '用户名或密码为空' },
  },
  credentials_refused: {
    status: 401,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'Username or password is wrong, or the user is disabled',
      zh: '用户名或密码错误，或用户已被封禁',
    },
  },
  registration_closed: {
    status: 403,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Registration is closed', zh: '管理员关闭了新用户注册' },
  },
  password_registration_closed: {
    status: 403,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'Registration with a password is closed; use a third-party account',
      zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    },
  },
  verification_code_wrong: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The verification code is wrong or has expired', zh: '验证码错误或已过期' },
  },
  username_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'The username needs 1 to {max} characters, without blanks and without @',
      zh: '用户名长度为 1 到 {max} 个字符，且不能包含空白和 @',
    },
  },
  username_taken: {
    status: 409,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'This username is taken', zh: '用户名已存在，或已注销' },
  },
  display_name_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The display name has at most {max} characters', zh: '显示名称最多 {max} 个字符' },
  },
  password_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The password needs {min} to {max} characters', zh: '密码长度为 {min} 到 {max} 个字符' },
  },
  passwords_differ: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The two passwords differ', zh: '两次输入的密码不一致' },
  },
  original_password_wrong: {
    status: 403,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The current password is missing or wrong', zh: '原密码缺失或错误' },
  },

  option_unknown: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'There is no setting {key}', zh: '不存在的设置项 {key}' },
  },
  option_refused: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: '{key} accepts {allowed}{where}', zh: '{key} 只接受{allowed}{where}' },
  },
  option_needs: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Fill in {needed} before switching {key} on', zh: '启用 {key} 前请先填写 {needed}' },
  },
  option_needed: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'Switch {needing} off before emptying {key}',
      zh: '清空 {key} 前请先关闭 {needing}',
    },
  },
  option_entry_doubled: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: '{key} has {entry} more than once', zh: '{key} 中的 {entry} 重复' },
  },
  option_picture_blocked: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: '{key}: pages do not load pictures over http://. Use an https:// address or a path on this site',
      zh: '{key}：页面不会加载 http:// 图片，请使用 https:// 地址或站内路径',
    },
  },
  option_not_supported: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'This version cannot do {key} yet', zh: '当前版本暂不支持 {key}' },
  },
  option_locks_out: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'Nobody could sign in any more: switch another way of signing in on first',
      zh: '关闭后将无法登录，请先启用其他登录方式',
    },
  },
  option_version_changed: {
    status: 409,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: '{key}: somebody else has changed it meanwhile; load it again before saving',
      zh: '{key} 已被其他管理员修改，请刷新后再保存',
    },
  },
  update_check_unset: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'No releases address is set; the environment variable RELEASES_URL names it',
      zh: '未设置发布页地址，请通过环境变量 RELEASES_URL 指定',
    },
  },
  update_check_failed: {
    status: 502,
    adminStatus: 200,
    fault: 'upstream',
    text: { en: 'The check for updates has failed; try again later', zh: '检查更新失败，请稍后再试' },
  },
} as const
