import { defineColumns } from './column.ts'
import { sources } from './sources.ts'

const NO_RESET = 'the next periods of these plans are not paid out: only what is left of the current one'
const GROUP_STAYS =
  'these people keep the group of their plan, also after its end: set it back in the list of users on that day'

export const tradeColumns = [
  ...defineColumns('options', sources.options, [
    ['key', 'text', '', 'kept', 'all'],
    ['value', 'text', '', 'kept', 'all'],
  ]),
  ...defineColumns('setups', sources.main, [
    ['id', 'whole', '', 'inert', '2025-04'],
    ['version', 'text', '', 'inert', '2025-04'],
    ['initialized_at', 'seconds', '', 'kept', '2025-04'],
  ]),
  ...defineColumns('redemptions', sources.redemption, [
    ['id', 'whole', '', 'kept', 'all'],
    ['user_id', 'whole', '', 'kept', 'all'],
    ['key', 'text', '', 'kept', 'all', 'pays'],
    ['status', 'whole', '1', 'kept', 'all', 'ends'],
    ['name', 'text', '', 'kept', 'all'],
    ['quota', 'whole', '100', 'kept', 'all', 'pays'],
    ['created_time', 'seconds', '', 'kept', 'all'],
    ['redeemed_time', 'seconds', '', 'kept', 'all'],
    ['used_user_id', 'whole', '', 'kept', '2025-04'],
    ['deleted_at', 'time', '', 'kept', '2025-04', 'ends'],
    ['expired_time', 'seconds', '', 'kept', '2025-10', 'ends'],
  ]),
  ...defineColumns('redemptions', sources.veloera, [
    ['valid_from', 'seconds', '', 'kept', 'fork', 'ends'],
    ['valid_until', 'seconds', '', 'kept', 'fork', 'ends'],
    ['is_gift', 'flag', '', 'kept', 'fork', 'pays'],
    ['max_uses', 'whole', '-1', 'kept', 'fork', 'limits'],
    ['used_count', 'whole', '', 'kept', 'fork', 'limits'],
  ]),
  ...defineColumns('redemption_logs', sources.veloera, [
    ['id', 'whole', '', 'kept', 'fork'],
    ['redemption_id', 'whole', '', 'kept', 'fork', 'limits'],
    ['user_id', 'whole', '', 'kept', 'fork', 'limits'],
    ['used_time', 'seconds', '', 'kept', 'fork'],
  ]),
  ...defineColumns('top_ups', sources.topUp, [
    ['id', 'whole', '', 'kept', '2025-04'],
    ['user_id', 'whole', '', 'kept', '2025-04', 'pays'],
    ['amount', 'whole', '', 'kept', '2025-04', 'pays'],
    ['money', 'decimal', '', 'kept', '2025-04', 'pays'],
    ['trade_no', 'text', '', 'kept', '2025-04', 'pays'],
    ['create_time', 'seconds', '', 'kept', '2025-04'],
    ['status', 'text', '', 'kept', '2025-04', 'pays'],
    ['payment_method', 'text', '', 'kept', '2025-10', 'pays'],
    ['complete_time', 'seconds', '', 'kept', '2025-10'],
    ['payment_provider', 'text', '', 'kept', '2026-09', 'pays'],
  ]),
  ...defineColumns('user_subscriptions', sources.plan, [
    ['id', 'whole', '', 'kept', '2026-04'],
    ['user_id', 'whole', '', 'kept', '2026-04', 'pays'],
    ['plan_id', 'whole', '', 'inert', '2026-04'],
    ['amount_total', 'whole', '', 'kept', '2026-04', 'pays'],
    ['amount_used', 'whole', '', 'kept', '2026-04', 'pays'],
    ['start_time', 'seconds', '', 'inert', '2026-04'],
    ['end_time', 'seconds', '', 'kept', '2026-04', 'ends'],
    ['status', 'text', '', 'kept', '2026-04', 'ends'],
    ['source', 'text', '', 'inert', '2026-04'],
    ['last_reset_time', 'seconds', '', 'inert', '2026-04'],
    ['next_reset_time', 'seconds', '', 'lost', '2026-04', 'pays', NO_RESET],
    ['upgrade_group', 'text', '', 'lost', '2026-04', 'ends', GROUP_STAYS],
    ['prev_user_group', 'text', '', 'inert', '2026-04'],
    ['downgrade_group', 'text', '', 'inert', '2026-04'],
    ['allow_wallet_overflow', 'flag', '1', 'inert', '2026-04'],
    ['created_at', 'seconds', '', 'inert', '2026-04'],
    ['updated_at', 'seconds', '', 'inert', '2026-04'],
  ]),
]
