'use strict';
const report = JSON.parse(document.getElementById('report').textContent);
document.querySelector('h1').textContent = report.title;
