import type { Status, statusRoutes } from '@tollgate/contract/status'
import type { Egress } from '@tollgate/egress/egress'
import { isSetUp } from '@tollgate/store/accounts/setup'
import type { Handler } from '../handler.ts'
import { isProviderEnabled } from '../oauth/enabled-providers.ts'
import { canSendMail } from '../mail/rules.ts'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Services } from '../services.ts'
import { epay } from '../top-up/gateways/epay.ts'

export interface StatusServices extends Services {
  readonly version: string
  readonly startedMs: number
  /** Address of this process, used while no public address is set. */
  readonly ownAddress: () => string
  readonly egress: Egress
  /** `undefined`: the operator configured none, and no request is made. */
  readonly releasesUrl: string | undefined
}

export function getStatus(services: StatusServices): Handler<typeof statusRoutes.read> {
  return async () => ({
    ...running(services),
    ...site(services),
    ...money(services),
    ...signIn(services),
    setup: await isSetUp(services.store),
  })
}

function running({ version, startedMs, options, ownAddress }: StatusServices) {
  return {
    version: `v${version}`,
    start_time: Math.floor(startedMs / 1000),
    server_address: options.get('ServerAddress') || ownAddress(),
    enable_batch_update: false,
  }
}

function site({ options }: StatusServices) {
  return {
    system_name: options.get('SystemName'),
    logo: options.get('Logo'),
    footer_html: options.get('Footer'),
    docs_link: options.get('general_setting.docs_link'),
    enable_drawing: options.get('DrawingEnabled'),
    enable_task: options.get('TaskEnabled'),
    enable_data_export: options.get('DataExportEnabled'),
    data_export_default_time: options.get('DataExportDefaultTime'),
    default_collapse_sidebar: options.get('DefaultCollapseSidebar'),
    mj_notify_enabled: options.get('MjNotifyEnabled'),
    chats: options.get('Chats'),
    chat_link: '',
    chat_link2: '',
    demo_site_enabled: options.get('DemoSiteEnabled'),
    self_use_mode_enabled: options.get('SelfUseModeEnabled'),
  }
}

function money({ options }: StatusServices) {
  return {
    top_up_link: options.get('TopUpLink'),
    quota_per_unit: options.get('QuotaPerUnit'),
    display_in_currency: options.get('DisplayInCurrencyEnabled'),
    price: options.get('Price'),
    min_topup: options.get('MinTopUp'),
    quota_remind_threshold: options.get('QuotaRemindThreshold'),
    enable_online_topup: epay.isOpen(options),
    check_in_enabled: options.get('CheckInEnabled'),
    checkin_enabled: options.get('CheckInEnabled'),
  }
}

function signIn({
  options,
}: StatusServices): Omit<
  Status,
  keyof ReturnType<typeof running> | keyof ReturnType<typeof site> | keyof ReturnType<typeof money> | 'setup'
> {
  return {
    password_login_enabled: options.get('PasswordLoginEnabled'),
    register_enabled: options.get('RegisterEnabled'),
    password_register_enabled: options.get('PasswordRegisterEnabled'),
    password_reset_enabled: canSendMail(options) && options.get('ServerAddress') !== '',
    email_verification: options.get('EmailVerificationEnabled'),
    turnstile_check: isSwitchedOn(options, 'TurnstileCheckEnabled'),
    turnstile_site_key: options.get('TurnstileSiteKey'),
    github_oauth: isProviderEnabled(options, 'github'),
    github_client_id: options.get('GitHubClientId'),
    linuxdo_oauth: isProviderEnabled(options, 'linuxdo'),
    linuxdo_client_id: options.get('LinuxDOClientId'),
    telegram_oauth: isProviderEnabled(options, 'telegram'),
    telegram_bot_name: options.get('TelegramBotName'),
    wechat_login: isProviderEnabled(options, 'wechat'),
    wechat_qrcode: options.get('WeChatAccountQRCodeImageURL'),
    oidc_enabled: isProviderEnabled(options, 'oidc'),
    oidc_client_id: options.get('oidc.client_id'),
    oidc_authorization_endpoint: options.get('oidc.authorization_endpoint'),
  }
}
