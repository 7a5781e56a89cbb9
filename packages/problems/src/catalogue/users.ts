import { callerFault } from '../definition.ts'

/** Problems of the administration of users. */
export const userProblems = {
  user_unknown: callerFault(404, { en: 'There is no such user', zh: '用户不存在' }),
  user_ids_missing: callerFault(400, { en: 'Choose at least one user', zh: '请至少选择一个用户' }),
  user_gone: callerFault(409, {
    en: 'This user is deactivated and cannot be changed',
    zh: '用户已注销，无法执行任何操作',
  }),
  user_rank: callerFault(403, {
    en: 'This user’s role is not below yours',
    zh: '无权操作同权限等级或更高权限等级的用户',
  }),
  user_self: callerFault(403, {
    en: 'This cannot be done to your own account',
    zh: '无法对自己的账户执行此操作',
  }),
  user_own_password: callerFault(403, {
    en: 'Change your own password on your personal page',
    zh: '请在个人设置中修改自己的密码',
  }),
  user_role_grant: callerFault(403, {
    en: 'You can only assign roles below your own',
    zh: '无法授予大于等于自己权限等级的角色',
  }),
  user_promote_root_only: callerFault(403, {
    en: 'Only the super admin can promote users',
    zh: '普通管理员用户无法提升其他用户为管理员',
  }),
  user_already_admin: callerFault(409, {
    en: 'This user is already an administrator',
    zh: '该用户已经是管理员',
  }),
  user_already_ordinary: callerFault(409, {
    en: 'This user is already an ordinary user',
    zh: '该用户已经是普通用户',
  }),
  user_already_enabled: callerFault(409, { en: 'This user is already enabled', zh: '该用户已处于启用状态' }),
  user_already_disabled: callerFault(409, {
    en: 'This user is already disabled',
    zh: '该用户已处于禁用状态',
  }),
  user_root_disable: callerFault(403, {
    en: 'The super admin cannot be disabled',
    zh: '无法禁用超级管理员用户',
  }),
  user_root_delete: callerFault(403, {
    en: 'The super admin cannot be deleted',
    zh: '无法删除超级管理员用户',
  }),
  user_root_demote: callerFault(403, {
    en: 'The super admin cannot be demoted',
    zh: '无法降级超级管理员用户',
  }),
  user_changed: callerFault(409, {
    en: 'Somebody else has changed this user; reload it',
    zh: '该用户刚刚被其他人修改，请刷新后重试',
  }),
  user_group_unknown: callerFault(400, { en: 'There is no group {group}', zh: '分组 {group} 不存在' }),
  user_quota_moved: callerFault(409, {
    en: 'The balance is {actual} now, not {expected}; reload the user before changing it',
    zh: '用户额度已变为 {actual}（打开时为 {expected}），请刷新后再修改额度',
  }),
  user_quota_out_of_range: callerFault(400, {
    en: 'Quota: the change can be at most {max}',
    zh: '单次额度变更不能超过 {max}',
  }),
}
