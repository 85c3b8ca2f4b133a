/* Dark or light as chosen before, before anything is drawn; without a choice, as the system says. */
'use strict';
(function () {
    let chosen = null;
    try { chosen = localStorage.getItem('threelane-theme'); } catch (error) { /* a browser that keeps nothing */ }
    if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
    document.documentElement.classList.add('script');
})();
