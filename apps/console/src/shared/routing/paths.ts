/** Addresses that one feature needs to know of another. A feature's own address stands in its `feature.ts`. */
export const paths = {
  home: '/',
  setup: '/setup',
  login: '/login',
  register: '/register',
  reset: '/reset',
  resetConfirm: '/user/reset',
  doorReturn: '/oauth/$door',
  personal: '/personal',
  about: '/about',
  pricing: '/pricing',
  playground: '/playground',
  tokens: '/token',
  usageLog: '/log',
  channels: '/channel',
} as const
